import { setImmediate } from 'node:timers/promises';
import { countTokens } from '../text/tokens.ts';
import {
  EmbeddingError,
  type EmbeddingInputType,
  type EmbeddingLimits,
  type EmbeddingModel,
  type EmbeddingWait,
} from './model.ts';

export interface EmbedAllOptions {
  inputType: EmbeddingInputType;
  signal?: AbortSignal | undefined;
  /** Told of each pause before a call is tried again. */
  onWait?: ((wait: EmbeddingWait) => void) | undefined;
  /** Called after each batch with the texts embedded so far, and all of them. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** The vectors of one call to the model: those of `texts[from]`, `texts[from + 1]`, ... */
export interface EmbeddedBatch {
  from: number;
  vectors: Float32Array[];
  /** Tokens the provider charged for. */
  tokens: number;
}

/**
 * Cuts a list into consecutive batches that one call can hold, given the tokens of each text. Throws a final
 * `EmbeddingError` for a text that is too long for the model by itself: nothing is cut silently.
 *
 * @returns index ranges, end exclusive
 */
export function planBatches(tokenCounts: readonly number[], limits: EmbeddingLimits): [number, number][] {
  const batches: [number, number][] = [];
  let from = 0;
  let tokens = 0;
  for (const [index, count] of tokenCounts.entries()) {
    if (count > limits.tokensPerInput) {
      throw new EmbeddingError(
        `Text ${index + 1} has ${count} tokens, the embedding model reads ${limits.tokensPerInput}`,
        { retryable: false },
      );
    }
    if (index > from && (index - from >= limits.inputsPerCall || tokens + count > limits.tokensPerCall)) {
      batches.push([from, index]);
      from = index;
      tokens = 0;
    }
    tokens += count;
  }
  if (from < tokenCounts.length) batches.push([from, tokenCounts.length]);
  return batches;
}

/** Texts counted before others get their turn: some milliseconds. */
const COUNTED_AT_ONCE = 20;

async function countAll(texts: readonly string[]): Promise<number[]> {
  const counts: number[] = [];
  for (const [index, text] of texts.entries()) {
    counts.push(countTokens(text));
    if (index % COUNTED_AT_ONCE === COUNTED_AT_ONCE - 1) await setImmediate();
  }
  return counts;
}

/** Embeds any number of texts, a batch at a time, and hands each batch over as soon as it is there. */
export async function* embedBatches(
  model: EmbeddingModel,
  texts: readonly string[],
  options: Omit<EmbedAllOptions, 'onProgress'>,
): AsyncGenerator<EmbeddedBatch> {
  const { inputType, signal, onWait } = options;
  for (const [from, to] of planBatches(await countAll(texts), model.limits)) {
    signal?.throwIfAborted();
    const { vectors, tokens } = await model.embed(texts.slice(from, to), {
      inputType,
      ...(signal === undefined ? {} : { signal }),
      ...(onWait === undefined ? {} : { onWait }),
    });
    yield { from, vectors, tokens };
  }
}
