import type { EmbeddingCalibration } from '../../src/embeddings/calibration.ts';
import type { EmbeddingLimits, EmbeddingModel } from '../../src/embeddings/model.ts';
import { toUnitVector } from '../../src/embeddings/unit.ts';
import { hashVector } from './voyage-server.ts';

/** The local encoder's, in round figures. */
export const FAKE_CALIBRATION: EmbeddingCalibration = {
  fusionWeight: 0.2,
  leastCosine: 0.3,
  cosineSpan: 0.5,
  meaningWeight: 0.5,
  standingSpan: 0.4,
};

export interface FakeEmbeddingModel extends EmbeddingModel {
  /** The texts of each call. */
  calls: string[][];
  vectorOf(text: string): Float32Array;
}

/**
 * An embedding model without a network: texts that share words are near each other. It charges one token a text.
 *
 * @param options.fail called before each call with its number (from 0); what it throws is the call's failure
 */
export function fakeEmbeddingModel(
  options: { id?: string; dimensions?: number; limits?: EmbeddingLimits; fail?: (call: number) => void } = {},
): FakeEmbeddingModel {
  const dimensions = options.dimensions ?? 512;
  const calls: string[][] = [];
  const vectorOf = (text: string): Float32Array => {
    const vector = toUnitVector(hashVector(text, dimensions));
    if (!vector) throw new Error('a hash vector is never zero');
    return vector;
  };
  return {
    provider: 'local',
    id: options.id ?? 'fake',
    dimensions,
    limits: options.limits ?? { inputsPerCall: 100, tokensPerCall: 100_000, tokensPerInput: 8_000 },
    calibration: FAKE_CALIBRATION,
    calls,
    vectorOf,
    embed: async (texts, { signal }) => {
      signal?.throwIfAborted();
      calls.push([...texts]);
      options.fail?.(calls.length - 1);
      return { vectors: texts.map(vectorOf), tokens: texts.length };
    },
    close: async () => {},
  };
}

/** The same model, which can be told to fail from one call to the next. */
export function createFakeEmbeddingModel() {
  let failure: Error | undefined;
  const model = fakeEmbeddingModel({
    fail: () => {
      if (failure) throw failure;
    },
  });
  return {
    ...model,
    /** From now on every call fails so; undefined: works again. */
    failWith(error: Error | undefined): void {
      failure = error;
    },
  };
}
