import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { fileSchema } from '../contract/file.ts';
import { filePreviewSchema } from '../contract/file-preview.ts';
import { type UploadList, uploadListSchema } from '../contract/upload.ts';
import { AppError } from '../errors.ts';
import type { Scope } from '../scope.ts';
import { ACCEPTED_EXTENSIONS, type UploadedFile, type UploadOptions } from '../services/file-uploads.ts';
import type { FileService } from '../services/files.ts';
import type { Services } from '../services/services.ts';
import type { HeldRoom, PlannedUpload } from '../services/upload-room.ts';
import type { App } from './plumbing/app.ts';
import { heldParts } from './plumbing/held-parts.ts';
import { IDEMPOTENCY_ERRORS, idempotencyHeaders, notePart } from './plumbing/idempotency.ts';
import type { Place } from './plumbing/place.ts';
import { preferHeaders, waitPreference } from './plumbing/prefer.ts';
import { problemDocument, problemResponses, STATUS_OF, toAppError } from './plumbing/problems.ts';
import { whileConnected } from './plumbing/sse.ts';
import { fileUrl, UPLOAD_RESULT, uploadStatus } from './plumbing/upload-answer.ts';
import { uploadOptions, uploadOptionsSchema } from './plumbing/upload-options.ts';
import { type UploadedPart, type UploadLimits, uploadedParts, uploadLimits } from './plumbing/uploads.ts';
import { validatorCompiler } from './plumbing/validation.ts';

const UPLOAD_ERRORS = [
  'no_file_part',
  'empty_file',
  'invalid_file_name',
  'unsupported_media_type',
  'unsupported_request_type',
  'file_too_large',
  'too_many_files',
  'file_exists',
  'contexts_unavailable',
  ...IDEMPOTENCY_ERRORS,
] as const;

const querySchema = uploadOptionsSchema.extend({
  dry_run: z
    .enum(['true', 'false'])
    .default('false')
    .describe('`true`: convert and cut one file without storing anything, and show what it would become.'),
});
type Query = z.infer<typeof querySchema>;

/** For the contract: the handler reads the form itself. */
const uploadFormSchema = z
  .object({
    file: z.array(z.file()).min(1).describe('The documents, each a part of its own with a file name.'),
  })
  .meta({ id: 'UploadForm', description: 'A form with one document, or several.' });

type Outcome = UploadedFile | AppError;

/** A part by the name it came with, and what became of it. */
interface Stored {
  name: string | undefined;
  outcome: Outcome;
}

const DESCRIPTION = `Stores the files as soon as all have come and before anything tries to read them, then makes them searchable: by their words as soon as they are converted, by meaning as their vectors come. Accepted: ${ACCEPTED_EXTENSIONS}. A name that is there already becomes a new version, unless \`on_duplicate\` says otherwise; the same bytes again make no work (200, \`Upload-Result: unchanged\`). The parameters may also stand in the form as plain fields before the file. Waits up to 20 s for the work to end (201), else answers 202 with the address to watch; \`Prefer: wait=N\` or \`Prefer: respond-async\` changes that. With one file the answer is the file; with several it is a list with a verdict for each, 207 when one was refused; where the workspace has no room for all of them, none is stored (403 \`quota_exceeded\`).`;

function verdict(
  request: FastifyRequest,
  name: string | undefined,
  outcome: Outcome,
): UploadList['data'][number] {
  if (outcome instanceof AppError) {
    return {
      name: name ?? null,
      status: STATUS_OF[outcome.code],
      result: null,
      file: null,
      problem: problemDocument(toAppError(outcome), request),
    };
  }
  const {
    result,
    stored: { file },
  } = outcome;
  return {
    name: file.name,
    status: uploadStatus(file, result),
    result,
    file,
    problem: null,
  };
}

/** The status of several verdicts: 207 as soon as one is a refusal. */
function overallStatus(statuses: number[]): 200 | 201 | 202 | 207 {
  if (statuses.some((status) => status >= 400)) return 207;
  if (statuses.includes(202)) return 202;
  return statuses.includes(201) ? 201 : 200;
}

const noFilePart = () =>
  new AppError('no_file_part', { detail: 'Send the document as a part named "file" with a file name.' });

/** A request that brings files. */
interface Upload {
  files: FileService;
  limits: UploadLimits;
  request: FastifyRequest;
  scope: Scope;
  query: Query;
  /** What is held for its files, once all have come. */
  room: HeldRoom | null;
}

/** How a part is to be taken, or why that cannot be understood. */
function optionsOf(query: Query, { fields }: UploadedPart): UploadOptions | AppError {
  try {
    return uploadOptions(query, fields);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

async function store({ files, scope, query, room }: Upload, part: UploadedPart): Promise<Outcome> {
  if ('refused' in part.content) return part.content.refused;
  try {
    const options = optionsOf(query, part);
    if (options instanceof AppError) return options;
    return await files.upload(scope, { name: part.name, ...part.content }, { ...options, room });
  } catch (error) {
    if (error instanceof AppError && error.code !== 'project_not_found') return error;
    throw error;
  }
}

/** The parts as they come, each noted for what it would take; one that will be refused takes nothing. */
async function* planning(upload: Upload, planned: PlannedUpload[]): AsyncGenerator<UploadedPart> {
  const { files, query, request, limits } = upload;
  for await (const part of uploadedParts(request, limits)) {
    const options = optionsOf(query, part);
    const plan =
      'refused' in part.content || options instanceof AppError
        ? null
        : files.planUpload({ name: part.name, ...part.content }, options);
    if (plan) planned.push(plan);
    yield part;
  }
}

/**
 * Stores the parts one after another when all have come: of an upload that is refused as a whole nothing is kept, as where
 * the workspace has no room for all of it.
 */
async function storeAll(upload: Upload): Promise<Stored[]> {
  const outcomes: Stored[] = [];
  const planned: PlannedUpload[] = [];
  const holdRoom = async (): Promise<void> => {
    if (planned.length > 1) upload.room = await upload.files.holdRoomForAll(upload.scope, planned);
  };
  try {
    for await (const part of heldParts(planning(upload, planned), holdRoom)) {
      notePart(upload.request, part);
      outcomes.push({ name: part.name, outcome: await store(upload, part) });
    }
  } finally {
    if (upload.room) await upload.files.releaseRoom(upload.room);
  }
  return outcomes;
}

/** Waits for what is to be done with the files, all in all no longer than `waitMs`. */
async function settle({ files, scope }: Upload, outcomes: readonly Stored[], waitMs: number): Promise<void> {
  const deadline = Date.now() + waitMs;
  for (const { outcome } of outcomes) {
    if (outcome instanceof AppError) continue;
    const { stored } = outcome;
    stored.file = await files.settledSince(scope, stored, Math.max(0, deadline - Date.now()));
  }
}

async function preview({ files, limits, request, scope, query }: Upload, signal: AbortSignal) {
  let only: UploadedPart | undefined;
  for await (const part of uploadedParts(request, limits)) {
    notePart(request, part);
    if (only) {
      throw new AppError('invalid_request', {
        detail: 'A dry run takes one file at a time; this one has several.',
      });
    }
    only = part;
  }
  if (!only) throw noFilePart();
  if ('refused' in only.content) throw only.content.refused;
  const upload = { name: only.name, ...only.content };
  return files.preview(scope, upload, uploadOptions(query, only.fields), signal);
}

function uploadFiles(app: App, { files }: Services, place: Place, limits: UploadLimits): void {
  app.post(
    `${place.prefix}/files`,
    {
      config: {
        idempotency: 'upload',
        isExpensive: true,
        spends: 'other',
        sends: ['Location', 'Upload-Result', 'Preference-Applied'],
      },
      // the body is a stream that the handler reads itself; the schema is for the contract
      validatorCompiler: (part) =>
        part.httpPart === 'body' ? (value) => ({ value }) : validatorCompiler(part as never),
      schema: {
        ...place.operation({
          operationId: 'uploadFiles',
          tag: 'files',
          summary: 'Upload documents',
          description: DESCRIPTION,
        }),
        params: place.params,
        querystring: querySchema,
        headers: idempotencyHeaders.extend(preferHeaders.shape),
        consumes: ['multipart/form-data'],
        body: uploadFormSchema,
        response: {
          200: z.union([fileSchema, uploadListSchema, filePreviewSchema]),
          201: z.union([fileSchema, uploadListSchema]),
          202: z.union([fileSchema, uploadListSchema]),
          207: uploadListSchema,
          ...problemResponses(...place.missing, ...UPLOAD_ERRORS),
        },
      },
    },
    async (request, reply) => {
      const scope = place.scopeOf(request);
      const upload: Upload = { files, limits, request, scope, query: request.query, room: null };
      await files.requirePlace(scope); // refused before the body is read
      if (upload.query.dry_run === 'true') {
        return reply.status(200).send(await preview(upload, whileConnected(reply)));
      }
      const outcomes = await storeAll(upload).catch((error: unknown) => {
        reply.header('connection', 'close'); // what is left of the body is not read
        throw error;
      });
      if (outcomes.length === 0) throw noFilePart();
      const { waitMs, applied } = waitPreference(request);
      if (applied !== null) reply.header('preference-applied', applied);
      await settle(upload, outcomes, waitMs);
      const [only] = outcomes;
      if (only && outcomes.length === 1) {
        if (only.outcome instanceof AppError) throw only.outcome;
        const {
          result,
          stored: { file },
        } = only.outcome;
        reply.header('location', fileUrl(scope, file.name)).header(UPLOAD_RESULT, result);
        return reply.status(uploadStatus(file, result)).send(file);
      }
      const data = outcomes.map(({ name, outcome }) => verdict(request, name, outcome));
      const status = overallStatus(data.map((entry) => entry.status));
      return reply.status(status).send({ object: 'upload_list' as const, data });
    },
  );
}

/** Documents come in. */
export const fileUploadRoutes: FastifyPluginAsyncZod<{
  services: Services;
  place: Place;
  maxUploadBytes: number;
}> = async (app, { services, place, maxUploadBytes }) =>
  uploadFiles(app, services, place, uploadLimits(maxUploadBytes));
