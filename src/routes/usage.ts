import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { workspaceUsageSchema } from '../contract/quota.ts';
import { libraryUsageSchema, projectUsageSchema } from '../contract/usage.ts';
import { libraryScope } from '../scope.ts';
import type { Services } from '../services/services.ts';
import { problemResponses } from './plumbing/problems.ts';
import { projectParamsSchema, projectScope } from './plumbing/wire.ts';

const sinceSchema = z.object({
  since: z.iso
    .date()
    .optional()
    .describe(
      'Only what was used from this day on, in UTC (`2026-11-01`); a turn counts on the day of its end.',
    ),
});

/** The accounts. */
export const usageRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  app.get(
    '/usage',
    {
      schema: {
        operationId: 'getWorkspaceUsage',
        tags: ['projects'],
        summary: 'What your workspace holds, has under way and has spent',
        description:
          'Projects, files, bytes and keys, turns and research runs that are under way, and the tokens and US dollars of this month in UTC, each with its limit. What was deleted since counts as spent; so does a turn that failed.',
        response: { 200: workspaceUsageSchema, ...problemResponses() },
      },
    },
    async (request) => services.quotas.usage(request.principal.workspaceId),
  );

  app.get(
    '/projects/:project_id/usage',
    {
      schema: {
        operationId: 'getUsage',
        tags: ['projects'],
        summary: 'What the project has used',
        description:
          'Tokens, calls and estimated cost by model and by phase: routing, answers and summaries of turns, summaries and embeddings of files, embeddings of queries. Counted by the providers; failed and cancelled turns count too.',
        params: projectParamsSchema,
        querystring: sinceSchema,
        response: { 200: projectUsageSchema, ...problemResponses('project_not_found') },
      },
    },
    async (request) => {
      const scope = projectScope(request);
      const account = await services.usage.of(scope, request.query.since);
      return { object: 'project_usage' as const, project_id: scope.projectId, ...account };
    },
  );

  app.get(
    '/library/usage',
    {
      schema: {
        operationId: 'getLibraryUsage',
        tags: ['library'],
        summary: 'What the library has used',
        description:
          'Tokens, calls and estimated cost by model and by phase: summaries and embeddings of its files. A turn that uses the library counts for its project.',
        querystring: sinceSchema,
        response: { 200: libraryUsageSchema, ...problemResponses() },
      },
    },
    async (request) => ({
      object: 'library_usage' as const,
      ...(await services.usage.of(libraryScope(request.principal.workspaceId), request.query.since)),
    }),
  );
};
