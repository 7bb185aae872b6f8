import type { EmbeddingModel } from '../src/embeddings/model.ts';
import { seededRandom } from './search-corpus.ts';

/** A model that takes no time: every text gets one of a few vectors. */
export function stubModel(counter: { texts: number } = { texts: 0 }): EmbeddingModel {
  const random = seededRandom(7);
  const vectors = Array.from({ length: 16 }, () => {
    const vector = Float32Array.from({ length: 512 }, () => random() - 0.5);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
  return {
    provider: 'local',
    id: 'stub',
    dimensions: 512,
    limits: { inputsPerCall: 100, tokensPerCall: 100_000, tokensPerInput: 8_000 },
    calibration: {
      fusionWeight: 0.2,
      leastCosine: 0.3,
      cosineSpan: 0.5,
      meaningWeight: 0.5,
      standingSpan: 0.4,
    },
    async embed(texts) {
      counter.texts += texts.length;
      return {
        vectors: texts.map((text) => vectors[text.length % vectors.length] ?? new Float32Array(512)),
        tokens: texts.length,
      };
    },
    close: async () => undefined,
  };
}
