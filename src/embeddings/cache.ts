import type { Queryable } from '../db/database.ts';
import { realArray } from '../db/real-array.ts';
import { type EmbedAllOptions, embedBatches } from './batch.ts';
import type { EmbeddingModel } from './model.ts';
import { fromVectorText } from './vector-text.ts';

/** A text with the hash that stands for it in the cache; equal hashes mean equal texts. */
export interface EmbeddingInput {
  hash: string;
  text: string;
}

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

// Putting a vector of 512 numbers into a statement takes a twentieth of a millisecond, reading one four times as long: no
// more than these without letting others have their turn.
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
  const hashes = [...new Set(inputs.map(({ hash }) => hash))];
  const known =
    options.inputType === 'document' ? await readCache(db, model, hashes) : new Map<string, Float32Array>();
  const counts = await embedRest(db, model, inputs, options, known);
  const vectors = inputs.map(({ hash }) => {
    const vector = known.get(hash);
    if (!vector) throw new Error('an embedding model returned fewer vectors than texts');
    return vector;
  });
  return { vectors, ...counts };
}

/**
 * As `embedWithCache` for documents, for a caller that takes the vectors from the cache within the database: they need
 * not leave it.
 */
export async function embedIntoCache(
  db: Queryable,
  model: EmbeddingModel,
  inputs: readonly EmbeddingInput[],
  options: Omit<EmbedAllOptions, 'inputType'>,
): Promise<EmbeddingCounts> {
  const hashes = [...new Set(inputs.map(({ hash }) => hash))];
  const known = new Map<string, unknown>();
  for (const hash of await findCached(db, model, hashes)) known.set(hash, true);
  return embedRest(db, model, inputs, { ...options, inputType: 'document' }, known);
}

/** Embeds the inputs that are not known, and makes them known. */
async function embedRest(
  db: Queryable,
  model: EmbeddingModel,
  inputs: readonly EmbeddingInput[],
  options: EmbedAllOptions,
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
    if (options.inputType === 'document') await writeCache(db, model, hashes, batch.vectors);
    for (const [i, vector] of batch.vectors.entries()) {
      const hash = hashes[i];
      if (hash !== undefined) known.set(hash, vector);
    }
    options.onProgress?.(done(), inputs.length);
  }
  return { embedded: missing.length, reused: inputs.length - missing.length, calls, tokens };
}

async function readCache(
  db: Queryable,
  model: EmbeddingModel,
  hashes: readonly string[],
): Promise<Map<string, Float32Array>> {
  const found = new Map<string, Float32Array>();
  for (const some of parts(hashes)) {
    const { rows } = await db.query<{ input_hash: string; embedding: string }>(
      `select input_hash, embedding::text as embedding from embedding_cache
       where model = $1 and dimensions = $2 and input_hash = any($3::text[])`,
      [model.id, model.dimensions, some],
    );
    for (const row of rows) found.set(row.input_hash, fromVectorText(row.embedding));
  }
  await markUsed(db, model, [...found.keys()]);
  return found;
}

async function findCached(
  db: Queryable,
  model: EmbeddingModel,
  hashes: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ input_hash: string }>(
    'select input_hash from embedding_cache where model = $1 and dimensions = $2 and input_hash = any($3::text[])',
    [model.id, model.dimensions, hashes],
  );
  const found = rows.map((row) => row.input_hash);
  await markUsed(db, model, found);
  return found;
}

/** Once a day is often enough for an age in days, and spares most runs the write. */
async function markUsed(db: Queryable, model: EmbeddingModel, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return;
  await db.query(
    `update embedding_cache set used_at = now()
     where model = $1 and dimensions = $2 and input_hash = any($3::text[]) and used_at < now() - interval '1 day'`,
    [model.id, model.dimensions, hashes],
  );
}

function* parts<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += ROWS_PER_STATEMENT) {
    yield items.slice(from, from + ROWS_PER_STATEMENT);
  }
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
       select $1, $2::int, hash, ($4::real[])[(n - 1) * $2 + 1 : n * $2]::vector
       from unnest($3::text[]) with ordinality as fresh (hash, n)
       on conflict (model, dimensions, input_hash) do nothing`,
      [model.id, model.dimensions, hashes.slice(from, to), realArray(vectors.slice(from, to))],
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
