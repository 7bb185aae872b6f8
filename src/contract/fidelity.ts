import { z } from 'zod';
import { filenameSchema, fileVersionSchema, kind } from './shared.ts';

/** Something of a source that its Markdown does not have: `heading`, `table`, `image`, `comment` and the like. */
const lossSchema = z.looseObject({
  kind: z.string().describe('`heading`, `table`, `image`, `comment` and the like.'),
  count: z.int().describe('How many of them.'),
  detail: z.string().optional().describe('What exactly, where that is known.'),
});

/** What a conversion kept and lost. */
export const fidelitySchema = z
  .looseObject({
    score: z.number().describe('1 when all structure arrived.'),
    losses: z.array(lossSchema).describe('What did not arrive, by kind.'),
  })
  .describe('What the conversion kept and lost.');

/** The same with everything that was counted, of one version of a file. */
export const fidelityReportSchema = fidelitySchema
  .extend({
    object: kind('fidelity_report'),
    name: filenameSchema,
    version: fileVersionSchema,
    counts: z
      .record(
        z.string(),
        z.looseObject({
          source: z.int().describe('In the source.'),
          result: z.int().describe('In the Markdown.'),
        }),
      )
      .describe('What the source has of each kind, and what arrived.'),
  })
  .meta({ id: 'FidelityReport', description: 'What the conversion of a version of a file kept and lost.' });
export type FidelityReport = z.infer<typeof fidelityReportSchema>;
/** The same as a conversion gives it. */
export type MeasuredFidelity = Pick<FidelityReport, 'score' | 'losses' | 'counts'>;
