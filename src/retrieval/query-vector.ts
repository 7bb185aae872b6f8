import type { EmbeddingCalibration } from '../embeddings/calibration.ts';
import { EmbeddingError, type EmbeddingModel } from '../embeddings/model.ts';
import { makesVectors } from '../embeddings/off.ts';
import { toUnitVector } from '../embeddings/unit.ts';
import { scopedSignal } from '../scoped-signal.ts';
import type { OnQuerySpent } from './query-spending.ts';

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
   *
   * @param onSpent not called for a vector that is remembered, which costs nothing
   */
  embed(text: string, signal?: AbortSignal, onSpent?: OnQuerySpent): Promise<Float32Array | null>;
  /** Takes a vector that was made elsewhere, as if it had been asked for. */
  remember(text: string, vector: Float32Array): void;
}

/**
 * Embeds queries, and remembers the latest `cacheSize` of them: a probe's text is asked for in every turn, and the
 * same question often comes twice.
 *
 * @param options.isInForce whether the stored vectors are still of this model: there is no vector to compare them with else
 * @param options.onFallback told of each query that had to do without a vector
 */
export function createQueryEmbedder(
  model: EmbeddingModel,
  {
    cacheSize = 256,
    timeoutMs = TIMEOUT_MS,
    isInForce = async () => true,
    onFallback = () => undefined,
  }: {
    cacheSize?: number;
    timeoutMs?: number;
    isInForce?: () => Promise<boolean>;
    onFallback?: () => void;
  } = {},
): QueryEmbedder {
  // a Map keeps the order of insertion: the first key is the one not used for longest
  const vectors = new Map<string, Float32Array>();

  async function ask(
    text: string,
    signal: AbortSignal | undefined,
    onSpent: OnQuerySpent | undefined,
  ): Promise<Float32Array | null> {
    const scoped = scopedSignal([signal], { timeoutMs });
    try {
      const { vectors: fresh, tokens } = await model.embed([text], {
        inputType: 'query',
        signal: scoped.signal,
      });
      const { id, provider } = model;
      onSpent?.({ phase: 'embed_queries', model: id, provider, tokens, calls: 1 });
      return fresh[0] ?? null;
    } catch (error) {
      signal?.throwIfAborted();
      if (scoped.timedOut || error instanceof EmbeddingError) return null;
      throw error;
    } finally {
      scoped.close();
    }
  }

  // a turn asks for its message and its probe at once: one look does for both
  let looking: Promise<boolean> | undefined;
  function isComparable(): Promise<boolean> {
    looking ??= isInForce().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  function remember(text: string, vector: Float32Array): void {
    vectors.delete(text);
    vectors.set(text, vector);
    const [oldest] = vectors.keys();
    if (vectors.size > cacheSize && oldest !== undefined) vectors.delete(oldest);
  }

  return {
    calibration: model.calibration,
    remember,
    mode: makesVectors(model) ? 'hybrid' : 'lexical',

    async embed(text, signal, onSpent) {
      signal?.throwIfAborted();
      if (text.trim() === '' || !makesVectors(model)) return null;
      const asked = vectors.get(text) ?? ask(text, signal, onSpent);
      const [vector, comparable] = await Promise.all([asked, isComparable()]);
      if (vector === null || !comparable) {
        onFallback();
        return null;
      }
      remember(text, vector);
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
