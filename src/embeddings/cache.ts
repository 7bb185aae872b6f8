import type { Queryable } from '../db/database.ts';
import { type EmbedAllOptions, embedBatches } from './batch.ts';
import type { EmbeddingModel } from './model.ts';
import { fromVectorText, toVectorText } from './vector-text.ts';

/** A text with the hash that stands for it in the cache; equal hashes mean equal texts. */
export interface EmbeddingInput {
  hash: string;
  text: string;
}

export interface CachedEmbeddings {
  /** One unit-length vector an input, in order. */
  vectors: Float32Array[];
  /** Different texts that went to the model. */
  embedded: number;
  /** Inputs that needed no call: found in the cache, or the same as another input. */
  reused: number;
  /** Calls to the model, and tokens the provider charged for. */
  calls: number;
  tokens: number;
}

// A vector of 512 numbers is some 6 KB of text, and writing it takes a quarter of a millisecond: no more than these
// without letting others have their turn.
const ROWS_PER_STATEMENT = 100;

/**
 * Embeds what was not embedded before by this model at this dimension. Each batch is in the cache before the next one is
 * asked for, so a crash loses one batch at most: run it outside any transaction. Questions (`inputType: 'query'`) have
 * vectors of their own and are not cached. Errors as `EmbeddingModel.embed`.
 */
export async function embedWithCache(
  db: Queryable,
  model: EmbeddingModel,
  inputs: readonly EmbeddingInput[],
  options: EmbedAllOptions,
): Promise<CachedEmbeddings> {
  const caching = options.inputType === 'document';
  const textOf = new Map(inputs.map(({ hash, text }) => [hash, text]));
  const known = caching ? await readCache(db, model, [...textOf.keys()]) : new Map<string, Float32Array>();
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
    if (caching) await writeCache(db, model, hashes, batch.vectors);
    for (const [i, vector] of batch.vectors.entries()) {
      const hash = hashes[i];
      if (hash !== undefined) known.set(hash, vector);
    }
    options.onProgress?.(done(), inputs.length);
  }

  const vectors = inputs.map(({ hash }) => {
    const vector = known.get(hash);
    if (!vector) throw new Error('an embedding model returned fewer vectors than texts');
    return vector;
  });
  return { vectors, embedded: missing.length, reused: inputs.length - missing.length, calls, tokens };
}

async function readCache(
  db: Queryable,
  model: EmbeddingModel,
  hashes: readonly string[],
): Promise<Map<string, Float32Array>> {
  const found = new Map<string, Float32Array>();
  for (let from = 0; from < hashes.length; from += ROWS_PER_STATEMENT) {
    const key = [model.id, model.dimensions, hashes.slice(from, from + ROWS_PER_STATEMENT)];
    const { rows } = await db.query<{ input_hash: string; embedding: string; old: boolean }>(
      `select input_hash, embedding::text as embedding, used_at < now() - interval '1 day' as old
       from embedding_cache where model = $1 and dimensions = $2 and input_hash = any($3::text[])`,
      key,
    );
    for (const row of rows) found.set(row.input_hash, fromVectorText(row.embedding));
    // once a day is often enough for an age in days, and spares most runs the write
    if (rows.some((row) => row.old)) {
      await db.query(
        `update embedding_cache set used_at = now()
         where model = $1 and dimensions = $2 and input_hash = any($3::text[]) and used_at < now() - interval '1 day'`,
        key,
      );
    }
  }
  return found;
}

async function writeCache(
  db: Queryable,
  model: EmbeddingModel,
  hashes: readonly string[],
  vectors: readonly Float32Array[],
): Promise<void> {
  for (let from = 0; from < hashes.length; from += ROWS_PER_STATEMENT) {
    const to = from + ROWS_PER_STATEMENT;
    await db.query(
      `insert into embedding_cache (model, dimensions, input_hash, embedding)
       select $1, $2, hash, vector_text::vector from unnest($3::text[], $4::text[]) as fresh (hash, vector_text)
       on conflict (model, dimensions, input_hash) do nothing`,
      [model.id, model.dimensions, hashes.slice(from, to), vectors.slice(from, to).map(toVectorText)],
    );
  }
}

/**
 * Forgets vectors that no run has used for so many days.
 *
 * @returns how many were removed
 */
export async function evictEmbeddingCache(db: Queryable, olderThanDays: number): Promise<number> {
  const { rowCount } = await db.query(
    'delete from embedding_cache where used_at < now() - make_interval(days => $1::integer)',
    [olderThanDays],
  );
  return rowCount;
}
