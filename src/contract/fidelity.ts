import { z } from 'zod';

/** Something of a source that its Markdown does not have: `heading`, `table`, `image`, `comment` and the like. */
const lossSchema = z.looseObject({ kind: z.string(), count: z.int(), detail: z.string().optional() });

/** What a conversion kept and lost. */
export const fidelitySchema = z
  .looseObject({
    score: z.number().describe('1 when all structure arrived.'),
    losses: z.array(lossSchema),
  })
  .describe('What the conversion kept and lost.');

/** The same with everything that was counted, of one version of a file. */
export const fidelityReportSchema = fidelitySchema
  .extend({
    object: z.literal('fidelity_report'),
    name: z.string(),
    version: z.int(),
    counts: z
      .record(z.string(), z.looseObject({ source: z.int(), result: z.int() }))
      .describe('What the source has of each kind, and what arrived.'),
  })
  .meta({ id: 'FidelityReport' });
export type FidelityReport = z.infer<typeof fidelityReportSchema>;
/** The same as a conversion gives it. */
export type MeasuredFidelity = Pick<FidelityReport, 'score' | 'losses' | 'counts'>;
