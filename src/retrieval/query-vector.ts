import type { EmbeddingCalibration } from '../embeddings/calibration.ts';
import { EmbeddingError, type EmbeddingModel } from '../embeddings/model.ts';
import { makesVectors } from '../embeddings/off.ts';
import { toUnitVector } from '../embeddings/unit.ts';

// A provider that is being retried can take minutes; an answer found by words in time is worth more.
const TIMEOUT_MS = 5_000;

export interface QueryEmbedder {
  /** The model's: how far its vectors are to be trusted. */
  readonly calibration: EmbeddingCalibration;
  /** How to search where nobody asks for a mode: by words alone where embeddings are switched off. */
  readonly mode: 'hybrid' | 'lexical';
  /**
   * The query's vector, or null when the provider failed or took too long, or when there is nothing to embed: search
   * then goes by words alone. Rejects only when `signal` is aborted.
   */
  embed(text: string, signal?: AbortSignal): Promise<Float32Array | null>;
}

/**
 * Embeds queries, and remembers the latest `cacheSize` of them: a probe's text is asked for in every turn, and the
 * same question often comes twice.
 *
 * @param options.isInForce whether the stored vectors are still of this model: there is no vector to compare them with else
 */
export function createQueryEmbedder(
  model: EmbeddingModel,
  { cacheSize = 256, timeoutMs = TIMEOUT_MS, isInForce = async () => true } = {},
): QueryEmbedder {
  // a Map keeps the order of insertion: the first key is the one not used for longest
  const vectors = new Map<string, Float32Array>();

  async function ask(text: string, signal: AbortSignal | undefined): Promise<Float32Array | null> {
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const { vectors: fresh } = await model.embed([text], {
        inputType: 'query',
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      });
      return fresh[0] ?? null;
    } catch (error) {
      signal?.throwIfAborted();
      if (deadline.aborted || error instanceof EmbeddingError) return null;
      throw error;
    }
  }

  return {
    calibration: model.calibration,
    mode: makesVectors(model) ? 'hybrid' : 'lexical',

    async embed(text, signal) {
      signal?.throwIfAborted();
      if (text.trim() === '' || !makesVectors(model)) return null;
      const [vector, comparable] = await Promise.all([vectors.get(text) ?? ask(text, signal), isInForce()]);
      if (vector === null || !comparable) return null;
      vectors.delete(text);
      vectors.set(text, vector);
      const [oldest] = vectors.keys();
      if (vectors.size > cacheSize && oldest !== undefined) vectors.delete(oldest);
      return vector;
    },
  };
}

/**
 * A vector between two of the same length: a message's with that of the active probe, which was embedded at the start.
 *
 * @param weightOfB 0: `a` alone, 1: `b` alone
 * @returns unit length; `a` where the two cancel each other out
 */
export function blendVectors(a: Float32Array, b: Float32Array, weightOfB: number): Float32Array {
  return toUnitVector(a.map((value, index) => value * (1 - weightOfB) + (b[index] ?? 0) * weightOfB)) ?? a;
}
