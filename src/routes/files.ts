import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { fileDeletionSchema, fileSchema, fileStatusSchema } from '../contract/file.ts';
import { listOf } from '../contract/list.ts';
import type { Services } from '../services/services.ts';
import type { App } from './plumbing/app.ts';
import { etagOf, isUnchanged } from './plumbing/etag.ts';
import { problemResponses } from './plumbing/problems.ts';
import { fileParamsSchema, pageQuerySchema, projectParamsSchema, projectScope } from './plumbing/wire.ts';

function listFiles(app: App, { files }: Services): void {
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
          status: fileStatusSchema.optional(),
        }),
        response: { 200: listOf(fileSchema), ...problemResponses('project_not_found', 'invalid_cursor') },
      },
    },
    async (request) => {
      const { status, ...page } = request.query;
      return files.list(projectScope(request.params), page, status ?? null);
    },
  );
}

function getFile(app: App, { files }: Services): void {
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
      const file = await files.get(projectScope(request.params), request.params.name);
      const etag = etagOf(`${file.version}-${Date.parse(file.updated_at)}`);
      reply.header('etag', etag);
      if (isUnchanged(request, etag)) return reply.status(304).send(null);
      return file;
    },
  );
}

function deleteFile(app: App, { files }: Services): void {
  app.delete(
    '/projects/:project_id/files/:name',
    {
      schema: {
        operationId: 'deleteFile',
        tags: ['files'],
        summary: 'Delete a file',
        description:
          'Removes its bytes, versions, parents, leaves, vectors and summary in one transaction; the very next search does not find it. Turns that quoted it keep their text. Answers with a receipt.',
        params: fileParamsSchema,
        response: { 200: fileDeletionSchema, ...problemResponses('project_not_found', 'file_not_found') },
      },
    },
    async (request) => files.remove(projectScope(request.params), request.params.name),
  );
}

/** Documents: list, look at, delete. */
export const fileRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  listFiles(app, services);
  getFile(app, services);
  deleteFile(app, services);
};
