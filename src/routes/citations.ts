import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { citationCheckSchema } from '../contract/citation.ts';
import { wholeListOf } from '../contract/list.ts';
import { sourceSchema } from '../contract/source.ts';
import type { Services } from '../services/services.ts';
import type { Place } from './plumbing/place.ts';
import { problemResponses } from './plumbing/problems.ts';
import { wholeList } from './plumbing/wire.ts';

const MAX_CITATIONS = 200;
const MAX_QUOTE = 4_000;

const citedSchema = z.looseObject({
  source: sourceSchema.optional(),
  filename: z.string().min(1).max(2_000).describe('The name of the file.'),
  version: z.int().positive().optional().describe('The version that it was taken from, from 1.'),
  char_start: z
    .int()
    .nonnegative()
    .describe("Where it began in the file's Markdown: UTF-16 code units, from 0."),
  char_end: z.int().nonnegative().optional().describe('Where it ended, exclusive.'),
  quote: z.string().min(1).max(MAX_QUOTE).describe('The words to look for.'),
  claim: z
    .string()
    .max(MAX_QUOTE)
    .optional()
    .describe('What was said of them: whether they support it is checked, too.'),
  header_path: z
    .array(z.string().max(4_000))
    .max(20)
    .default([])
    .describe('The headings that it stood under, outermost first.'),
});

/** What became of citations. */
export const citationRoutes: FastifyPluginAsyncZod<{ services: Services; place: Place }> = async (
  app,
  { services, place },
) => {
  app.post(
    `${place.prefix}/citations::verify`,
    {
      config: { access: 'read' },
      schema: {
        ...place.operation({
          operationId: 'verifyCitations',
          tag: 'turns',
          summary: 'Check citations',
          description:
            'Looks for quotes, as turns return them in `citations`, in the files as they are now: whether the words still stand there, where they have moved, or that they are gone; and, where a citation has its `claim`, whether the section they stand in still supports it. The answers are in the order of the citations.',
        }),
        params: place.params,
        body: z
          .strictObject({
            citations: z.array(citedSchema).min(1).max(MAX_CITATIONS).describe('What to check.'),
          })
          .meta({
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
          200: wholeListOf(citationCheckSchema),
          ...problemResponses(...place.missing, 'invalid_json'),
        },
      },
    },
    async (request) =>
      wholeList(await services.citations.verify(place.scopeOf(request), request.body.citations)),
  );
};
