import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Services } from '../services/services.ts';
import { problemResponses } from './plumbing/problems.ts';
import { projectParamsSchema, projectScope } from './plumbing/wire.ts';

const MAX_CITATIONS = 200;
const MAX_QUOTE = 4_000;

const citedSchema = z.looseObject({
  filename: z.string().min(1).max(2_000),
  version: z.int().positive().optional(),
  char_start: z.int().nonnegative(),
  char_end: z.int().nonnegative().optional(),
  quote: z.string().min(1).max(MAX_QUOTE),
  header_path: z.array(z.string().max(4_000)).max(20).default([]),
});

const checkSchema = z
  .object({
    object: z.literal('citation_check'),
    filename: z.string(),
    status: z
      .enum(['valid', 'moved', 'changed', 'gone'])
      .describe(
        '`valid`: the words stand where they stood. `moved`: they stand elsewhere, at the offsets given. `changed`: the file is there, the words are not; `section` is where they most likely were. `gone`: the file is not there or has no text.',
      ),
    version: z.int().nullable().describe('The searchable version, which was looked at.'),
    char_start: z.int().nullable(),
    char_end: z.int().nullable(),
    matches: z
      .int()
      .describe('How often the words occur, up to 1,000; the place nearest to the old one counts.'),
    section: z
      .object({
        header_path: z.array(z.string()),
        leaf_id: z.string(),
        parent_id: z.string(),
        char_start: z.int(),
        char_end: z.int(),
      })
      .nullable(),
  })
  .meta({ id: 'CitationCheck' });

/** What became of citations. */
export const citationRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  app.post(
    '/projects/:project_id/citations::verify',
    {
      schema: {
        operationId: 'verifyCitations',
        tags: ['turns'],
        summary: 'Check citations',
        description:
          'Looks for quotes, as turns return them in `citations`, in the files as they are now: whether the words still stand there, where they have moved, or that they are gone. The answers are in the order of the citations.',
        params: projectParamsSchema,
        body: z.object({ citations: z.array(citedSchema).min(1).max(MAX_CITATIONS) }).meta({
          examples: [
            {
              citations: [
                {
                  filename: 'report.md',
                  version: 1,
                  char_start: 1042,
                  char_end: 1180,
                  quote: 'Churn is 4.1 %.',
                },
              ],
            },
          ],
        }),
        response: {
          200: z.object({
            object: z.literal('list'),
            data: z.array(checkSchema),
            has_more: z.literal(false),
          }),
          ...problemResponses('project_not_found', 'invalid_json'),
        },
      },
    },
    async (request) => {
      const { citations } = request.body;
      const checks = await services.citations.verify(projectScope(request.params), citations);
      return {
        object: 'list' as const,
        data: checks.map(({ status, version, charStart, charEnd, matches, place }, index) => ({
          object: 'citation_check' as const,
          filename: citations[index]?.filename ?? '',
          status,
          version,
          char_start: charStart,
          char_end: charEnd,
          matches,
          section: place && {
            header_path: place.headerPath,
            leaf_id: place.leafId,
            parent_id: place.parentId,
            char_start: place.charStart,
            char_end: place.charEnd,
          },
        })),
        has_more: false as const,
      };
    },
  );
};
