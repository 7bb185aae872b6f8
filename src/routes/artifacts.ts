import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import { ARTIFACT_NAMES } from '../services/artifacts.ts';
import type { Services } from '../services/services.ts';
import { etagOf, isUnchanged } from './plumbing/etag.ts';
import { problemResponses } from './plumbing/problems.ts';
import { projectParamsSchema, projectScope } from './plumbing/wire.ts';

const nameSchema = z.enum(ARTIFACT_NAMES);
const artifactSchema = z
  .object({ object: z.literal('artifact'), name: nameSchema, title: z.string(), bytes: z.int() })
  .meta({ id: 'Artifact' });

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
          200: z.object({
            object: z.literal('list'),
            data: z.array(artifactSchema),
            has_more: z.literal(false),
          }),
          ...problemResponses('project_not_found'),
        },
      },
    },
    async (request) => {
      const artifacts = await services.artifacts.list(projectScope(request.params));
      return {
        object: 'list' as const,
        data: artifacts.map(({ name, title, markdown }) => ({
          object: 'artifact' as const,
          name,
          title,
          bytes: Buffer.byteLength(markdown),
        })),
        has_more: false as const,
      };
    },
  );

  app.get(
    '/projects/:project_id/artifacts/:artifact',
    {
      schema: {
        operationId: 'getArtifact',
        tags: ['state'],
        summary: 'Read an artifact',
        description: 'Markdown, rendered from the state as it is now; the same state gives the same text.',
        params: projectParamsSchema.extend({
          artifact: z
            .string()
            .max(100)
            .describe(`One of ${ARTIFACT_NAMES.join(', ')}.`),
        }),
        produces: ['text/markdown'],
        response: {
          200: z.string(),
          304: z.null().describe('Unchanged.'),
          ...problemResponses('project_not_found', 'content_not_available'),
        },
      },
    },
    async (request, reply) => {
      const name = nameSchema.safeParse(request.params.artifact).data;
      if (!name) {
        throw new AppError('content_not_available', {
          detail: `There is no artifact "${request.params.artifact}". There are ${ARTIFACT_NAMES.join(' and ')}.`,
        });
      }
      const { markdown, stateVersion } = await services.artifacts.get(projectScope(request.params), name);
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
