import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  type File,
  fileDeletionSchema,
  fileNamesSchema,
  fileSchema,
  fileStatusSchema,
  filesDeletionSchema,
} from '../contract/file.ts';
import { listOf } from '../contract/list.ts';
import { AppError } from '../errors.ts';
import type { Services } from '../services/services.ts';
import type { App } from './plumbing/app.ts';
import { etagOf, ifMatchAllows, ifMatchHeaders, ifNoneMatchHeaders, isUnchanged } from './plumbing/etag.ts';
import { IDEMPOTENCY_ERRORS, idempotencyHeaders } from './plumbing/idempotency.ts';
import { fileParamsOf, type Place } from './plumbing/place.ts';
import { MAX_WAIT_SECONDS, waitAsked } from './plumbing/prefer.ts';
import { problemResponses } from './plumbing/problems.ts';
import { fileUrl } from './plumbing/upload-answer.ts';
import { pageQuerySchema } from './plumbing/wire.ts';

const etagOfFile = ({ version, updated_at }: File): string => etagOf(`${version}-${Date.parse(updated_at)}`);

function listFiles(app: App, { files }: Services, place: Place): void {
  app.get(
    `${place.prefix}/files`,
    {
      schema: {
        ...place.operation({
          operationId: 'listFiles',
          tag: 'files',
          summary: 'List the files',
          description:
            'In order of their first upload, failed ones included; narrow it by `status`, and by `q` to those that speak of something. Cursors belong to the list that you narrowed.',
        }),
        params: place.params,
        querystring: pageQuerySchema.extend({
          status: fileStatusSchema.optional().describe('Only files of this status.'),
          q: z
            .string()
            .min(1)
            .max(200)
            .optional()
            .describe(
              'Only files whose name or summary holds this text, in whatever case. For what is in them, search.',
            ),
        }),
        response: { 200: listOf(fileSchema), ...problemResponses(...place.missing, 'invalid_cursor') },
      },
    },
    async (request) => {
      const { status = null, q: text = null, ...page } = request.query;
      return files.list(place.scopeOf(request), page, { status, text });
    },
  );
}

function getFile(app: App, { files }: Services, place: Place): void {
  app.get(
    `${place.prefix}/files/:name`,
    {
      config: { sends: ['ETag', 'Preference-Applied'] },
      schema: {
        ...place.operation({
          operationId: 'getFile',
          tag: 'files',
          summary: 'Get a file',
          description:
            'Its status, progress, figures, summary, fidelity and, where it failed, why. With `wait` it answers when the file is completed or failed, or when the time is up; without, as it is now.',
        }),
        params: fileParamsOf(place),
        querystring: z.object({
          wait: z.coerce
            .number()
            .int()
            .min(0)
            .max(MAX_WAIT_SECONDS)
            .optional()
            .describe(
              `Seconds to wait at most for the end of its ingestion, 0 to ${MAX_WAIT_SECONDS}; the same as \`Prefer: wait=N\`, and goes before it.`,
            ),
        }),
        headers: ifNoneMatchHeaders.extend({
          prefer: z
            .string()
            .optional()
            .describe(`\`wait=N\`: seconds to wait, ${MAX_WAIT_SECONDS} at most (RFC 7240).`),
        }),
        response: {
          200: fileSchema,
          304: z.null().describe('Unchanged.'),
          ...problemResponses(...place.missing, 'file_not_found'),
        },
      },
    },
    async (request, reply) => {
      const { waitMs, applied } = waitAsked(request, request.query.wait);
      if (applied !== null) reply.header('preference-applied', applied);
      const file = await files.settled(place.scopeOf(request), request.params.name, waitMs);
      const etag = etagOfFile(file);
      reply.header('etag', etag);
      if (isUnchanged(request, etag)) return reply.status(304).send(null);
      return file;
    },
  );
}

function deleteFile(app: App, { files }: Services, place: Place): void {
  app.delete(
    `${place.prefix}/files/:name`,
    {
      schema: {
        ...place.operation({
          operationId: 'deleteFile',
          tag: 'files',
          summary: 'Delete a file',
          description:
            'Removes its bytes, versions, parents, leaves, vectors and summary in one transaction; the very next search does not find it. Turns that quoted it keep their text. Answers with a receipt.',
        }),
        params: fileParamsOf(place),
        response: { 200: fileDeletionSchema, ...problemResponses(...place.missing, 'file_not_found') },
      },
    },
    async (request) => files.remove(place.scopeOf(request), request.params.name),
  );
}

function renameFile(app: App, { files }: Services, place: Place): void {
  app.patch(
    `${place.prefix}/files/:name`,
    {
      config: { sends: ['ETag', 'Location'] },
      schema: {
        ...place.operation({
          operationId: 'renameFile',
          tag: 'files',
          summary: 'Rename a file',
          description:
            'Changes the name under which the file is addressed, listed and quoted from now on, without reading it again: its versions, vectors, summary and outline stay, and what the project knows of it goes on under the new name. The ending must be one of the same format. Ids of leaves and pointers are made from the name and change with it; turns that quoted the file keep what they said. `If-Match` with the ETag of the file renames only what you have read.',
        }),
        params: fileParamsOf(place),
        headers: ifMatchHeaders,
        body: z
          .strictObject({ name: z.string().max(2_000).describe('The new name, by the rules of an upload.') })
          .meta({ examples: [{ name: 'campaign-research-q4.docx' }] }),
        response: {
          200: fileSchema,
          ...problemResponses(
            ...place.missing,
            'file_not_found',
            'file_exists',
            'invalid_file_name',
            'unsupported_media_type',
            'precondition_failed',
            'invalid_json',
          ),
        },
      },
    },
    async (request, reply) => {
      const scope = place.scopeOf(request);
      const { name } = request.params;
      const renamed = await files.rename(scope, name, request.body.name, (current) => {
        if (!ifMatchAllows(request, etagOfFile(current))) {
          throw new AppError('precondition_failed', {
            detail: `"${name}" has changed since it was read. Read it again, and decide whether to rename it.`,
          });
        }
      });
      return reply
        .headers({ etag: etagOfFile(renamed), location: fileUrl(scope, renamed.name) })
        .send(renamed);
    },
  );
}

function deleteFiles(app: App, { files }: Services, place: Place): void {
  app.post(
    `${place.prefix}/files::delete`,
    {
      config: { idempotency: 'json' },
      schema: {
        ...place.operation({
          operationId: 'deleteFiles',
          tag: 'files',
          summary: 'Delete several files',
          description:
            'Deletes up to 1,000 files by name in one transaction: all of them, or none where one of the names is of no file. Answers with a receipt for each.',
        }),
        params: place.params,
        headers: idempotencyHeaders,
        body: z
          .strictObject({
            names: fileNamesSchema.describe('The names of the files.'),
          })
          .meta({ examples: [{ names: ['notes.md', 'draft.docx'] }] }),
        response: {
          200: filesDeletionSchema,
          ...problemResponses(...place.missing, 'file_not_found', 'invalid_json', ...IDEMPOTENCY_ERRORS),
        },
      },
    },
    async (request) => files.removeAll(place.scopeOf(request), request.body.names),
  );
}

/** Documents: list, look at, rename, delete. */
export const fileRoutes: FastifyPluginAsyncZod<{ services: Services; place: Place }> = async (
  app,
  { services, place },
) => {
  listFiles(app, services, place);
  getFile(app, services, place);
  renameFile(app, services, place);
  deleteFile(app, services, place);
  deleteFiles(app, services, place);
};
