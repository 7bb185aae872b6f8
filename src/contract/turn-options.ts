import { z } from 'zod';
import { limitsSchema } from './limits.ts';
import { minScoreSchema } from './passage.ts';
import { sourcesSchema } from './source.ts';

/** Whether documents and older turns are looked up: as Phase A decides, or as the caller says. */
export const retrievalOptionSchema = z.enum(['auto', 'always', 'never']);
export type RetrievalOption = z.infer<typeof retrievalOptionSchema>;

/** How a turn was asked for: kept with it, so that a retry is of the same kind. */
export const turnOptionsSchema = z.object({
  retrieval: retrievalOptionSchema,
  min_score: minScoreSchema.optional(),
  sources: sourcesSchema.optional(),
  limits: limitsSchema.optional(),
  research: z.boolean().optional(),
});
export type TurnOptions = z.infer<typeof turnOptionsSchema>;
