import { z } from 'zod';
import { kind } from './shared.ts';

/** What writing contexts takes. */
export const contextEstimateSchema = z.object({
  model: z.string().describe('The model that writes them.'),
  leaves: z.int().describe('Leaves that get one.'),
  calls: z.int().describe('Calls of the model; a reply that leaves something out takes one more.'),
  input_tokens: z.int().describe('All tokens read, cached ones included.'),
  cached_tokens: z.int().describe("Of the input, read from the provider's cache."),
  cache_write_tokens: z.int().describe("Of the input, written to the provider's cache."),
  output_tokens: z.int().describe('Tokens written, as a rule.'),
  cost_usd: z.number().nullable().describe('At list price; null where that is not known.'),
});
export type ContextEstimate = z.infer<typeof contextEstimateSchema>;

/** What there is to be done about the contexts of some files. */
export const contextsPlanSchema = z
  .object({
    object: kind('contexts_plan'),
    dry_run: z.boolean().describe('Whether it was only asked for: then nothing is done.'),
    written: z
      .array(
        z.object({
          name: z.string().describe('The name of the file.'),
          leaves: z.int().describe('Leaves that have no context yet.'),
          calls: z.int().describe('Calls that they take.'),
        }),
      )
      .describe('Files of which leaves get a context.'),
    removed: z.array(z.string()).describe('Files whose contexts are taken away: they are to have none.'),
    estimate: contextEstimateSchema.describe('What writing them takes.'),
    embedding: z
      .object({
        model: z.string().describe('The embedding model.'),
        tokens: z.int().describe('Tokens of the leaves with their contexts.'),
        cost_usd: z.number().nullable().describe('At list price; null where that is not known.'),
      })
      .describe('What embedding the leaves again takes.'),
  })
  .meta({ id: 'ContextsPlan', description: 'What is done about the contexts of files, and what it takes.' });
export type ContextsPlan = z.infer<typeof contextsPlanSchema>;
