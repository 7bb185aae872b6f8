import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { wholeListOf } from '../contract/list.ts';
import { staleItemSchema } from '../contract/staleness.ts';
import type { Services } from '../services/services.ts';
import { problemResponses } from './plumbing/problems.ts';
import { projectParamsSchema, projectScope, wholeList } from './plumbing/wire.ts';

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
          200: wholeListOf(staleItemSchema),
          ...problemResponses('project_not_found'),
        },
      },
    },
    async (request) => wholeList(await services.staleness.list(projectScope(request))),
  );
};
