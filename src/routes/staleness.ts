import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Services } from '../services/services.ts';
import { staleCauseSchema } from '../state/schema.ts';
import { problemResponses } from './plumbing/problems.ts';
import { projectParamsSchema, projectScope } from './plumbing/wire.ts';

const staleItemSchema = z
  .object({
    object: z.literal('stale_item'),
    kind: z.enum(['assumption', 'skeleton_field', 'file_summary']),
    id: z.string().describe('Of the assumption, the skeleton field or the file.'),
    text: z.string().describe('The statement, value or summary that may no longer hold.'),
    causes: z
      .array(staleCauseSchema)
      .describe('The files that it was taken from, as they were and as they are; null: deleted.'),
  })
  .meta({ id: 'StaleItem' });

/** What of the state may no longer hold. */
export const stalenessRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  app.get(
    '/projects/:project_id/staleness',
    {
      schema: {
        operationId: 'listStaleness',
        tags: ['state'],
        summary: 'List what is stale',
        description:
          'Assumptions, skeleton fields and file summaries that were taken from a version of a file that is no longer the searchable one. A later turn or a change of the state that confirms them clears the mark; a file summary is made again by itself.',
        params: projectParamsSchema,
        response: {
          200: z.object({
            object: z.literal('list'),
            data: z.array(staleItemSchema),
            has_more: z.literal(false),
          }),
          ...problemResponses('project_not_found'),
        },
      },
    },
    async (request) => {
      const items = await services.staleness.list(projectScope(request.params));
      return {
        object: 'list' as const,
        data: items.map((item) => ({ object: 'stale_item' as const, ...item })),
        has_more: false as const,
      };
    },
  );
};
