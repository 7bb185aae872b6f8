import type { FastifyRequest } from 'fastify';
import { type FastifyPluginAsyncZod, validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { FileRecord } from '../db/files.ts';
import { acceptedExtensions } from '../documents/convert/detect.ts';
import { AppError } from '../errors.ts';
import type { Scope } from '../scope.ts';
import type { Services } from '../services/services.ts';
import { etagOf, isUnchanged } from './plumbing/etag.ts';
import { waitPreference } from './plumbing/prefer.ts';
import {
  problemDocument,
  problemResponses,
  problemSchema,
  STATUS_OF,
  toAppError,
} from './plumbing/problems.ts';
import { type UploadedPart, uploadedParts } from './plumbing/uploads.ts';
import {
  fileParamsSchema,
  listOf,
  listView,
  pageQuerySchema,
  projectParamsSchema,
  projectScope,
} from './plumbing/wire.ts';
import { fileSchema, fileView } from './views/file.ts';

const uploadListSchema = z
  .object({
    object: z.literal('upload_list'),
    data: z.array(
      z.object({
        name: z.string().nullable(),
        status: z.int().describe('The status this part would have had alone.'),
        file: fileSchema.nullable(),
        problem: problemSchema.nullable(),
      }),
    ),
  })
  .meta({ id: 'UploadList', description: 'A verdict for each file of a request with several.' });

const fileDeletionSchema = z
  .object({
    object: z.literal('deletion'),
    id: z.string(),
    deleted: z.literal(true),
    removed: z.object({
      files: z.int(),
      versions: z.int(),
      parents: z.int(),
      leaves: z.int(),
      vectors: z.int(),
      summaries: z.int(),
    }),
  })
  .meta({ id: 'FileDeletion', description: 'What a deletion removed, counted before it was removed.' });

const fileUrl = (scope: Scope, name: string) =>
  `/projects/${scope.projectId}/files/${encodeURIComponent(name)}`;
const createdStatus = (file: FileRecord) =>
  file.status === 'queued' || file.status === 'in_progress' ? 202 : 201;
const UPLOAD_ERRORS = [
  'project_not_found',
  'no_file_part',
  'empty_file',
  'invalid_file_name',
  'unsupported_media_type',
  'unsupported_request_type',
  'file_too_large',
  'too_many_files',
] as const;

/** Documents: upload, list, watch, retry, delete. */
export const fileRoutes: FastifyPluginAsyncZod<{ services: Services; maxUploadBytes: number }> = async (
  app,
  { services, maxUploadBytes },
) => {
  const { files } = services;
  const limits = { fileBytes: maxUploadBytes, bodyBytes: 4 * maxUploadBytes + 1024 * 1024 };

  async function store(scope: Scope, part: UploadedPart): Promise<FileRecord | AppError> {
    if ('refused' in part.content) return part.content.refused;
    try {
      return await files.upload(scope, { name: part.name, bytes: part.content.bytes });
    } catch (error) {
      if (error instanceof AppError && error.code !== 'project_not_found') return error;
      throw error;
    }
  }

  function verdict(request: FastifyRequest, name: string | undefined, outcome: FileRecord | AppError) {
    return outcome instanceof AppError
      ? {
          name: name ?? null,
          status: STATUS_OF[outcome.code],
          file: null,
          problem: problemDocument(toAppError(outcome), request),
        }
      : { name: outcome.name, status: createdStatus(outcome), file: fileView(outcome), problem: null };
  }

  app.post(
    '/projects/:project_id/files',
    {
      // the body is a stream that the handler reads itself; the schema is for the contract
      validatorCompiler: (part) =>
        part.httpPart === 'body' ? (value) => ({ value }) : validatorCompiler(part as never),
      schema: {
        operationId: 'uploadFiles',
        tags: ['files'],
        summary: 'Upload documents',
        description: `Stores each file before anything tries to read it, then makes it searchable. Accepted: ${acceptedExtensions()}. A name that is there already becomes a new version. Waits up to 20 s for the work to end (201), else answers 202 with the address to watch; \`Prefer: wait=N\` or \`Prefer: respond-async\` changes that. With one file the answer is the file; with several it is a list with a verdict for each, 207 when one was refused.`,
        params: projectParamsSchema,
        consumes: ['multipart/form-data'],
        body: z.object({ file: z.file().describe('The document; the part may repeat.') }),
        response: {
          201: z.union([fileSchema, uploadListSchema]),
          202: z.union([fileSchema, uploadListSchema]),
          207: uploadListSchema,
          ...problemResponses(...UPLOAD_ERRORS),
        },
      },
    },
    async (request, reply) => {
      const scope = projectScope(request.params);
      await services.projects.get(scope); // refused before the body is read
      const outcomes: { name: string | undefined; outcome: FileRecord | AppError }[] = [];
      for await (const part of uploadedParts(request, limits)) {
        outcomes.push({ name: part.name, outcome: await store(scope, part) });
      }
      if (outcomes.length === 0) {
        throw new AppError('no_file_part', {
          detail: 'Send the document as a part named "file" with a file name.',
        });
      }
      const { waitMs, applied } = waitPreference(request);
      if (applied !== null) reply.header('preference-applied', applied);
      const deadline = Date.now() + waitMs;
      for (const entry of outcomes) {
        if (entry.outcome instanceof AppError) continue;
        entry.outcome = await files.settled(scope, entry.outcome.name, Math.max(0, deadline - Date.now()));
      }
      const [only] = outcomes;
      if (only && outcomes.length === 1) {
        if (only.outcome instanceof AppError) throw only.outcome;
        reply.header('location', fileUrl(scope, only.outcome.name));
        return reply.status(createdStatus(only.outcome)).send(fileView(only.outcome));
      }
      const data = outcomes.map(({ name, outcome }) => verdict(request, name, outcome));
      const statuses = data.map((entry) => entry.status);
      const status = statuses.some((each) => each >= 400) ? 207 : statuses.includes(202) ? 202 : 201;
      return reply.status(status).send({ object: 'upload_list' as const, data });
    },
  );

  app.get(
    '/projects/:project_id/files',
    {
      schema: {
        operationId: 'listFiles',
        tags: ['files'],
        summary: 'List the files',
        description: 'In order of their first upload, failed ones included; narrow it by `status`.',
        params: projectParamsSchema,
        querystring: pageQuerySchema.extend({
          status: z.enum(['queued', 'in_progress', 'completed', 'failed']).optional(),
        }),
        response: { 200: listOf(fileSchema), ...problemResponses('project_not_found', 'invalid_cursor') },
      },
    },
    async (request) => {
      const { status, ...page } = request.query;
      return listView(await files.list(projectScope(request.params), page, status ?? null), fileView);
    },
  );

  app.get(
    '/projects/:project_id/files/:name',
    {
      schema: {
        operationId: 'getFile',
        tags: ['files'],
        summary: 'Get a file',
        description:
          'Its status, progress, figures, summary, fidelity and, where it failed, why. Poll it while it is in progress.',
        params: fileParamsSchema,
        response: {
          200: fileSchema,
          304: z.null().describe('Unchanged.'),
          ...problemResponses('project_not_found', 'file_not_found'),
        },
      },
    },
    async (request, reply) => {
      const file = await files.requireFile(projectScope(request.params), request.params.name);
      const etag = etagOf(`${file.version}-${file.updatedAt.getTime()}`);
      reply.header('etag', etag);
      if (isUnchanged(request, etag)) return reply.status(304).send(null);
      return fileView(file);
    },
  );

  app.delete(
    '/projects/:project_id/files/:name',
    {
      schema: {
        operationId: 'deleteFile',
        tags: ['files'],
        summary: 'Delete a file',
        description:
          'Removes its bytes, versions, parents, leaves, vectors and summary in one transaction; the very next search does not find it. Answers with a receipt.',
        params: fileParamsSchema,
        response: { 200: fileDeletionSchema, ...problemResponses('project_not_found', 'file_not_found') },
      },
    },
    async (request) => {
      const { name, removed } = await files.remove(projectScope(request.params), request.params.name);
      return { object: 'deletion' as const, id: name, deleted: true as const, removed };
    },
  );

  app.post(
    '/projects/:project_id/files/:name/retry',
    {
      schema: {
        operationId: 'retryFile',
        tags: ['files'],
        summary: 'Retry a failed file',
        description: 'Ingests the stored bytes again. Only a failed file can be retried.',
        params: fileParamsSchema,
        response: {
          202: fileSchema,
          ...problemResponses('project_not_found', 'file_not_found', 'file_not_retryable'),
        },
      },
    },
    async (request, reply) => {
      const scope = projectScope(request.params);
      const file = await files.retry(scope, request.params.name);
      return reply.status(202).header('location', fileUrl(scope, file.name)).send(fileView(file));
    },
  );
};
