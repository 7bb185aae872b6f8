import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Services } from '../services/services.ts';
import { etagOf, isUnchanged } from './plumbing/etag.ts';
import { problemResponses } from './plumbing/problems.ts';
import {
  fileParamsSchema,
  listOf,
  listView,
  pageQuerySchema,
  projectParamsSchema,
  projectScope,
} from './plumbing/wire.ts';
import { fileSchema, fileView } from './views/file.ts';

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

/** Documents: list, look at, delete. */
export const fileRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  const { files } = services;

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
          'Removes its bytes, versions, parents, leaves, vectors and summary in one transaction; the very next search does not find it. Turns that quoted it keep their text. Answers with a receipt.',
        params: fileParamsSchema,
        response: { 200: fileDeletionSchema, ...problemResponses('project_not_found', 'file_not_found') },
      },
    },
    async (request) => {
      const { name, removed } = await files.remove(projectScope(request.params), request.params.name);
      return { object: 'deletion' as const, id: name, deleted: true as const, removed };
    },
  );
};
