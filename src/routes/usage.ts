import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Services } from '../services/services.ts';
import { problemResponses } from './plumbing/problems.ts';
import { projectParamsSchema, projectScope } from './plumbing/wire.ts';

const figures = {
  calls: z.int(),
  input_tokens: z.int().describe('All tokens read, cached ones included.'),
  cached_tokens: z.int().describe("Of the input, read from the provider's cache."),
  cache_write_tokens: z.int().describe("Of the input, written to the provider's cache."),
  output_tokens: z.int(),
  cost_usd: z.number().nullable().describe('An estimate from list prices; null when a price is not known.'),
};
const phase = z
  .string()
  .describe(
    '`route`, `answer`, `summary` of turns; `file_summary`, `embed_files`, `embed_turns` of what is stored.',
  );
const model = z.string();

const usageSchema = z
  .object({
    object: z.literal('project_usage'),
    project_id: z.string(),
    total: z.object(figures),
    by_phase: z.array(z.object({ phase, ...figures })),
    by_model: z.array(z.object({ model, ...figures })),
    entries: z.array(z.object({ phase, model, ...figures })).describe('By phase and model.'),
  })
  .meta({ id: 'ProjectUsage', description: 'Tokens, calls and cost of a project so far.' });

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
        response: { 200: usageSchema, ...problemResponses('project_not_found') },
      },
    },
    async (request) => {
      const scope = projectScope(request.params);
      const { total, byPhase, byModel, entries } = await services.usage.ofProject(scope);
      return {
        object: 'project_usage' as const,
        project_id: scope.projectId,
        total,
        by_phase: byPhase,
        by_model: byModel,
        entries,
      };
    },
  );
};
