import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { fileDeletionSchema, fileSchema, fileStatusSchema } from '../contract/file.ts';
import { listOf } from '../contract/list.ts';
import type { Services } from '../services/services.ts';
import type { App } from './plumbing/app.ts';
import { etagOf, ifNoneMatchHeaders, isUnchanged } from './plumbing/etag.ts';
import { fileParamsOf, type Place } from './plumbing/place.ts';
import { problemResponses } from './plumbing/problems.ts';
import { pageQuerySchema } from './plumbing/wire.ts';

function listFiles(app: App, { files }: Services, place: Place): void {
  app.get(
    `${place.prefix}/files`,
    {
      schema: {
        ...place.operation({
          operationId: 'listFiles',
          tag: 'files',
          summary: 'List the files',
          description: 'In order of their first upload, failed ones included; narrow it by `status`.',
        }),
        params: place.params,
        querystring: pageQuerySchema.extend({
          status: fileStatusSchema.optional().describe('Only files of this status.'),
        }),
        response: { 200: listOf(fileSchema), ...problemResponses(...place.missing, 'invalid_cursor') },
      },
    },
    async (request) => {
      const { status, ...page } = request.query;
      return files.list(place.scopeOf(request), page, status ?? null);
    },
  );
}

function getFile(app: App, { files }: Services, place: Place): void {
  app.get(
    `${place.prefix}/files/:name`,
    {
      config: { sends: ['ETag'] },
      schema: {
        ...place.operation({
          operationId: 'getFile',
          tag: 'files',
          summary: 'Get a file',
          description:
            'Its status, progress, figures, summary, fidelity and, where it failed, why. Poll it while it is in progress.',
        }),
        params: fileParamsOf(place),
        headers: ifNoneMatchHeaders,
        response: {
          200: fileSchema,
          304: z.null().describe('Unchanged.'),
          ...problemResponses(...place.missing, 'file_not_found'),
        },
      },
    },
    async (request, reply) => {
      const file = await files.get(place.scopeOf(request), request.params.name);
      const etag = etagOf(`${file.version}-${Date.parse(file.updated_at)}`);
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

/** Documents: list, look at, delete. */
export const fileRoutes: FastifyPluginAsyncZod<{ services: Services; place: Place }> = async (
  app,
  { services, place },
) => {
  listFiles(app, services, place);
  getFile(app, services, place);
  deleteFile(app, services, place);
};
