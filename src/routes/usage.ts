import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { projectUsageSchema } from '../contract/usage.ts';
import type { Services } from '../services/services.ts';
import { problemResponses } from './plumbing/problems.ts';
import { projectParamsSchema, projectScope } from './plumbing/wire.ts';

/** The accounts. */
export const usageRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  app.get(
    '/projects/:project_id/usage',
    {
      schema: {
        operationId: 'getUsage',
        tags: ['projects'],
        summary: 'What the project has used',
        description:
          'Tokens, calls and estimated cost by model and by phase: routing, answers and summaries of turns, summaries and embeddings of files. Counted by the providers; failed and cancelled turns count too. The embedding of search queries is not counted.',
        params: projectParamsSchema,
        response: { 200: projectUsageSchema, ...problemResponses('project_not_found') },
      },
    },
    async (request) => services.usage.ofProject(projectScope(request.params)),
  );
};
