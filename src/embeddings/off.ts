import { embeddingCalibrationSchema } from './calibration.ts';
import { EmbeddingError, type EmbeddingModel } from './model.ts';

/** Whether texts get vectors at all. */
export const makesVectors = ({ provider }: Pick<EmbeddingModel, 'provider'>): boolean => provider !== 'off';

/** What stands in the place of a model where everything goes by words: it is named like one, and is never asked. */
export function createNoEmbeddings(): EmbeddingModel {
  return {
    provider: 'off',
    id: 'off',
    dimensions: 0,
    limits: { inputsPerCall: 1, tokensPerCall: 1, tokensPerInput: 1 },
    calibration: embeddingCalibrationSchema.parse({
      fusionWeight: 0,
      leastCosine: 0,
      cosineSpan: 1,
      meaningWeight: 0,
      standingSpan: 0,
    }),
    embed: async () => {
      throw new EmbeddingError('Embeddings are switched off', { retryable: false });
    },
    close: async () => {},
  };
}
