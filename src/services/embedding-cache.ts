import { createHash } from 'node:crypto';
import type { Queryable } from '../db/database.ts';
import { findCachedHashes, insertCachedVectors, readCachedVectors } from '../db/embedding-cache.ts';
import { type EmbedAllOptions, embedBatches } from '../embeddings/batch.ts';
import type { EmbeddingModel } from '../embeddings/model.ts';

/** A text with the hash that stands for it in the cache; equal hashes mean equal texts. */
export interface EmbeddingInput {
  hash: string;
  text: string;
}

/** A question for the cache: its vector is another than that of the same text in a document. */
export const queryInput = (text: string): EmbeddingInput => ({
  hash: `query:${createHash('sha256').update(text).digest('hex')}`,
  text,
});

/** What a run cost. */
export interface EmbeddingCounts {
  /** Different texts that went to the model. */
  embedded: number;
  /** Inputs that needed no call: found in the cache, or the same as another input. */
  reused: number;
  /** Calls to the model, and tokens the provider charged for. */
  calls: number;
  tokens: number;
}

export interface CachedEmbeddings extends EmbeddingCounts {
  /** One unit-length vector an input, in order. */
  vectors: Float32Array[];
}

/**
 * Embeds what was not embedded before by this model at this dimension. Each batch is in the cache before the next one is
 * asked for, so a crash loses one batch at most: run it outside any transaction. Questions (`inputType: 'query'`) have
 * vectors of their own, so they come as `queryInput`. Errors as `EmbeddingModel.embed`.
 */
export async function embedWithCache(
  db: Queryable,
  model: EmbeddingModel,
  inputs: readonly EmbeddingInput[],
  options: EmbedAllOptions,
): Promise<CachedEmbeddings> {
  const hashes = [...new Set(inputs.map(({ hash }) => hash))];
  const known = await readCachedVectors(db, model, hashes);
  const counts = await embedRest(db, model, inputs, options, known);
  const vectors = inputs.map(({ hash }) => {
    const vector = known.get(hash);
    if (!vector) throw new Error('an embedding model returned fewer vectors than texts');
    return vector;
  });
  return { vectors, ...counts };
}

/** How documents are embedded into the cache. */
export interface IntoCacheOptions extends Omit<EmbedAllOptions, 'inputType'> {
  /** Told of the hashes whose vectors are in the cache: those that were there before, then each batch. The next one waits for it. */
  onCached?: (hashes: readonly string[]) => Promise<void>;
  /** Told of each call to the model when its vectors are in the cache: the tokens that the provider charged for. */
  onCharged?: (tokens: number) => Promise<void>;
}

/**
 * As `embedWithCache` for documents, for a caller that takes the vectors from the cache within the database: they need
 * not leave it.
 */
export async function embedIntoCache(
  db: Queryable,
  model: EmbeddingModel,
  inputs: readonly EmbeddingInput[],
  options: IntoCacheOptions,
): Promise<EmbeddingCounts> {
  const hashes = [...new Set(inputs.map(({ hash }) => hash))];
  const known = new Map<string, unknown>();
  for (const hash of await findCachedHashes(db, model, hashes)) known.set(hash, true);
  if (known.size > 0) await options.onCached?.([...known.keys()]);
  return embedRest(db, model, inputs, { ...options, inputType: 'document' }, known);
}

/** Embeds the inputs that are not known, and makes them known. */
async function embedRest(
  db: Queryable,
  model: EmbeddingModel,
  inputs: readonly EmbeddingInput[],
  options: EmbedAllOptions & IntoCacheOptions,
  known: Map<string, Float32Array> | Map<string, unknown>,
): Promise<EmbeddingCounts> {
  const textOf = new Map(inputs.map(({ hash, text }) => [hash, text]));
  const missing = [...textOf].filter(([hash]) => !known.has(hash));
  const done = (): number => inputs.reduce((sum, { hash }) => sum + (known.has(hash) ? 1 : 0), 0);
  options.onProgress?.(done(), inputs.length);

  let calls = 0;
  let tokens = 0;
  const texts = missing.map(([, text]) => text);
  for await (const batch of embedBatches(model, texts, options)) {
    calls += 1;
    tokens += batch.tokens;
    const hashes = missing.slice(batch.from, batch.from + batch.vectors.length).map(([hash]) => hash);
    await insertCachedVectors(db, model, hashes, batch.vectors);
    for (const [i, vector] of batch.vectors.entries()) {
      const hash = hashes[i];
      if (hash !== undefined) known.set(hash, vector);
    }
    await options.onCharged?.(batch.tokens);
    await options.onCached?.(hashes);
    options.onProgress?.(done(), inputs.length);
  }
  return { embedded: missing.length, reused: inputs.length - missing.length, calls, tokens };
}
