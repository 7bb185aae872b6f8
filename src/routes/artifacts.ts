import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { artifactNameSchema, artifactSchema } from '../contract/artifact.ts';
import { wholeListOf } from '../contract/list.ts';
import { AppError } from '../errors.ts';
import type { Services } from '../services/services.ts';
import { etagOf, ifNoneMatchHeaders, isUnchanged } from './plumbing/etag.ts';
import { problemResponses } from './plumbing/problems.ts';
import { projectParamsSchema, projectScope, wholeList } from './plumbing/wire.ts';

/** Documents rendered from the state. */
export const artifactRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  app.get(
    '/projects/:project_id/artifacts',
    {
      schema: {
        operationId: 'listArtifacts',
        tags: ['state'],
        summary: 'List the artifacts',
        description: 'The documents that are rendered from the state.',
        params: projectParamsSchema,
        response: {
          200: wholeListOf(artifactSchema),
          ...problemResponses('project_not_found'),
        },
      },
    },
    async (request) => wholeList(await services.artifacts.list(projectScope(request))),
  );

  app.get(
    '/projects/:project_id/artifacts/:artifact',
    {
      config: { sends: ['ETag'] },
      schema: {
        operationId: 'getArtifact',
        tags: ['state'],
        summary: 'Read an artifact',
        description: 'Markdown, rendered from the state as it is now; the same state gives the same text.',
        params: projectParamsSchema.extend({
          artifact: z
            .string()
            .max(100)
            .describe(`One of ${artifactNameSchema.options.join(', ')}.`),
        }),
        headers: ifNoneMatchHeaders,
        produces: ['text/markdown'],
        response: {
          200: z.string().describe('The artifact, as Markdown.'),
          304: z.null().describe('Unchanged.'),
          ...problemResponses('project_not_found', 'content_not_available'),
        },
      },
    },
    async (request, reply) => {
      const name = artifactNameSchema.safeParse(request.params.artifact).data;
      if (!name) {
        throw new AppError('content_not_available', {
          detail: `There is no artifact "${request.params.artifact}". There are ${artifactNameSchema.options.join(' and ')}.`,
        });
      }
      const { markdown, stateVersion } = await services.artifacts.get(projectScope(request), name);
      const etag = etagOf(`${name}-${stateVersion}`);
      reply.header('etag', etag);
      if (isUnchanged(request, etag)) return reply.status(304).send(null);
      return reply
        .header('content-type', 'text/markdown; charset=utf-8')
        .header('x-content-type-options', 'nosniff')
        .serializer((body: unknown) => body as string)
        .send(markdown);
    },
  );
};
