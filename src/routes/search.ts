import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { minScoreSchema, searchAnswerSchema, searchModeSchema } from '../contract/passage.ts';
import type { Services } from '../services/services.ts';
import { problemResponses } from './plumbing/problems.ts';
import { projectParamsSchema, projectScope } from './plumbing/wire.ts';

const requestSchema = z
  .object({
    query: z.string().trim().min(1).max(8_000),
    kinds: z
      .array(z.enum(['documents', 'turns']))
      .min(1)
      .default(['documents']),
    limit: z.int().min(1).max(50).default(4),
    min_score: minScoreSchema
      .optional()
      .describe(
        'The least confidence of a passage; 0 shows the best there is, however little it bears on the query. Where you say nothing a floor holds that keeps 97 % of the answers of a labelled set.',
      ),
    mode: searchModeSchema.default('hybrid'),
    sources: z
      .array(z.enum(['project']))
      .min(1)
      .default(['project']),
    filters: z
      .object({
        filenames: z.array(z.string().max(2_000)).max(200).default([]),
        header_path: z
          .array(z.string().max(2_000))
          .max(10)
          .default([])
          .describe('Headings that the path starts with.'),
        media_types: z.array(z.string().max(200)).max(20).default([]),
      })
      .prefault({}),
    explain: z.boolean().default(false),
  })
  .meta({ examples: [{ query: 'Which segment churns most, and why?', limit: 4 }] });

/** Search over a project's documents and turns. */
export const searchRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  app.post(
    '/projects/:project_id/search',
    {
      schema: {
        operationId: 'search',
        tags: ['search'],
        summary: 'Search documents and turns',
        description:
          'The retrieval that turns use: meaning and words, fused. Leaves are searched, whole sections come back, each with the leaves that matched. What does not bear on the query is left out: `below_floor` says how much, and `min_score` moves the floor. With `explain`, each hit tells its place in each ranking.',
        params: projectParamsSchema,
        body: requestSchema,
        response: {
          200: searchAnswerSchema,
          ...problemResponses('project_not_found', 'invalid_json', 'embeddings_off'),
        },
      },
    },
    async (request) => {
      const { query, kinds, limit, min_score: minScore, mode, filters, explain } = request.body;
      return services.search.search(projectScope(request.params), {
        query,
        kinds,
        limit,
        minScore,
        mode,
        explain,
        filters: {
          filenames: filters.filenames.map((name) => name.normalize('NFC')),
          headerPath: filters.header_path,
          mediaTypes: filters.media_types,
        },
      });
    },
  );
};
