import { z } from 'zod';

/**
 * How far a model's vectors are to be trusted when something is ranked: measured for each model, and its adapter's to
 * say. Two models give the same pair of texts different cosines, and a small model's order is worth less than a good one's.
 */
export const embeddingCalibrationSchema = z
  .strictObject({
    /** What a ranking by its vectors counts for against one by words, which counts 1, when the two are fused. */
    fusionWeight: z.number().min(0).max(10),
    /** Cosine similarity up to which two texts have nothing to do with each other. */
    leastCosine: z.number().min(-1).max(1),
    /** How far above `leastCosine` a similarity says all that it can say. */
    cosineSpan: z.number().min(0.01).max(2),
    /** The confidence that similarity alone can give, 0 to 1. */
    meaningWeight: z.number().min(0).max(1),
    /**
     * How far above the similarity of an ordinary text of the project one says all that it can say of a passage. 0: nobody has
     * measured it, and the confidence in a passage goes by words alone.
     */
    standingSpan: z.number().min(0).max(2),
  })
  .readonly();

export type EmbeddingCalibration = z.output<typeof embeddingCalibrationSchema>;

/**
 * Of a model that nobody has measured here: its ranking is taken to be worth as much as that by words, its cosines for those of
 * the local encoder, and confidence in a passage goes by words alone.
 */
export const UNMEASURED = embeddingCalibrationSchema.parse({
  fusionWeight: 1,
  leastCosine: 0.3,
  cosineSpan: 0.5,
  meaningWeight: 0.5,
  standingSpan: 0,
});
