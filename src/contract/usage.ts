import { z } from 'zod';
import { kind } from './shared.ts';

const tokenFigures = {
  input_tokens: z.int().describe('All tokens read, cached ones included.'),
  cached_tokens: z.int().describe("Of the input, read from the provider's cache."),
  cache_write_tokens: z.int().describe("Of the input, written to the provider's cache."),
  output_tokens: z.int().describe('Tokens written.'),
  cost_usd: z.number().nullable().describe('An estimate from list prices; null when a price is not known.'),
};
const turnFigures = {
  ...tokenFigures,
  thinking_tokens: z
    .int()
    .optional()
    .describe('Of the output, spent on thoughts, as far as the provider says; absent where it does not.'),
  estimated: z
    .literal(true)
    .optional()
    .describe('The provider of some call does not say what it has counted: the tokens were counted here.'),
};
const usageFiguresSchema = z.object(turnFigures);
export type UsageFigures = z.infer<typeof usageFiguresSchema>;

/** A turn's model calls, summed up and by phase: `route`, `embed_queries`, `rerank`, `answer`, `summary`. */
export const usageSchema = z
  .object({
    ...turnFigures,
    by_phase: z
      .record(
        z.string(),
        z.object({
          ...turnFigures,
          model: z.string().describe('The model.'),
          calls: z
            .int()
            .describe('Calls of models; of a reranker that charges by the search, what it charged for.'),
        }),
      )
      .describe('The same by phase: `route`, `embed_queries`, `rerank`, `answer`, `summary`.'),
  })
  .meta({ id: 'Usage', description: 'Tokens as the provider counted them, summed up and by phase.' });
export type Usage = z.infer<typeof usageSchema>;

const callFigures = {
  calls: z.int().describe('Calls of models; of a reranker that charges by the search, what it charged for.'),
  ...tokenFigures,
  input_tokens: z.int().describe('All tokens read, cached ones included.'),
  cached_tokens: z.int().describe("Of the input, read from the provider's cache."),
  cache_write_tokens: z.int().describe("Of the input, written to the provider's cache."),
};
const phase = z
  .string()
  .describe(
    '`route`, `answer`, `summary` of turns; `research` of runs, and `document_summary` of whole documents; `file_summary`, `leaf_contexts`, `embed_files`, `embed_turns` of what is stored; `embed_queries` of what is searched for, and `rerank` of what was found, by turns and otherwise.',
  );
const model = z.string().describe('The model.');

const accountMembers = {
  total: z.object(callFigures).describe('In all.'),
  by_phase: z.array(z.object({ phase, ...callFigures })).describe('By phase.'),
  by_model: z.array(z.object({ model, ...callFigures })).describe('By model.'),
  entries: z.array(z.object({ phase, model, ...callFigures })).describe('By phase and model.'),
};
const accountSchema = z.object(accountMembers);
/** What was used, in all, by phase, by model, and by both. */
export type Account = z.infer<typeof accountSchema>;

/** What a project has used. */
export const projectUsageSchema = z
  .object({
    object: kind('project_usage'),
    project_id: z.string().describe('The slug of the project.'),
    ...accountMembers,
  })
  .meta({ id: 'ProjectUsage', description: 'Tokens, calls and cost of a project so far.' });

/** What the library has used. */
export const libraryUsageSchema = z
  .object({ object: kind('library_usage'), ...accountMembers })
  .meta({ id: 'LibraryUsage', description: 'Tokens, calls and cost of the library so far.' });
