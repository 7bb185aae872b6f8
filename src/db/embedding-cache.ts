import { DEFAULT_WORKSPACE } from '../scope.ts';
import type { Queryable } from './database.ts';
import { realArray } from './real-array.ts';
import { fromVectorText } from './vector-text.ts';

/** Whose vectors: those of one model at one dimension. */
export interface CachedModel {
  id: string;
  dimensions: number;
}

/**
 * What the vector of a workspace's text is kept under. Each workspace has vectors of its own: one that is there already would
 * tell that somebody else has the same text, and an archive that is imported brings vectors that nobody has checked.
 *
 * @param hash of what was embedded; in the default workspace it stands alone, as it did before there were others
 */
export const cacheKey = (workspaceId: string, hash: string): string =>
  workspaceId === DEFAULT_WORKSPACE ? hash : `${workspaceId}/${hash}`;

/** The same in SQL, of two expressions. */
export const cacheKeySql = (workspaceId: string, hash: string): string =>
  `case when ${workspaceId} = '${DEFAULT_WORKSPACE}' then ${hash} else ${workspaceId} || '/' || ${hash} end`;

// Putting a vector of 512 numbers into a statement takes a twentieth of a millisecond, reading one four times as long: no
// more than these without letting others have their turn.
const ROWS_PER_STATEMENT = 100;

function* parts<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += ROWS_PER_STATEMENT) {
    yield items.slice(from, from + ROWS_PER_STATEMENT);
  }
}

/** The vectors that are known, by the hash of what was embedded; they count as used. */
export async function readCachedVectors(
  db: Queryable,
  model: CachedModel,
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

/** Which of the hashes have a vector; those count as used. */
export async function findCachedHashes(
  db: Queryable,
  model: CachedModel,
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

/**
 * Once an hour is often enough for an age in days, and spares most runs the write; what was found stays for most of a day
 * at least, which an ingest needs it for.
 */
async function markUsed(db: Queryable, model: CachedModel, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return;
  await db.query(
    `update embedding_cache set used_at = now()
     where model = $1 and dimensions = $2 and input_hash = any($3::text[]) and used_at < now() - interval '1 hour'`,
    [model.id, model.dimensions, hashes],
  );
}

/** Keeps the vectors of some hashes, one each; a hash that has one keeps it. */
export async function insertCachedVectors(
  db: Queryable,
  model: CachedModel,
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
 * Forgets vectors that no run has used for so many days, those that were used longest ago first.
 *
 * @param options.limit vectors at most
 * @returns how many were removed
 */
export async function evictEmbeddingCache(
  db: Queryable,
  options: { olderThanDays: number; limit: number },
): Promise<number> {
  const { rowCount } = await db.query(
    `delete from embedding_cache where (model, dimensions, input_hash) in (
       select model, dimensions, input_hash from embedding_cache
       where used_at < now() - make_interval(days => $1::int)
       order by used_at limit $2 for update skip locked)`,
    [options.olderThanDays, options.limit],
  );
  return rowCount;
}

/** Forgets the vectors of a workspace other than the default one. */
export async function forgetVectorsOf(tx: Queryable, workspaceId: string): Promise<void> {
  await tx.query('delete from embedding_cache where starts_with(input_hash, $1)', [
    cacheKey(workspaceId, ''),
  ]);
}

/** What the cache holds of one model. */
export interface CacheFigures {
  model: string;
  dimensions: number;
  vectors: number;
  /** When the vector that was used longest ago was used, RFC 3339. */
  oldest_use: string;
}

/** What the cache holds, by model. */
export async function readCacheFigures(db: Queryable): Promise<CacheFigures[]> {
  const { rows } = await db.query<Omit<CacheFigures, 'oldest_use'> & { oldest: Date }>(
    `select model, dimensions, count(*)::int as vectors, min(used_at) as oldest from embedding_cache
     group by model, dimensions order by model, dimensions`,
  );
  return rows.map(({ oldest, ...figures }) => ({ ...figures, oldest_use: oldest.toISOString() }));
}

/** Forgets every vector; returns how many there were. */
export async function clearEmbeddingCache(db: Queryable): Promise<number> {
  return (await db.query('delete from embedding_cache')).rowCount;
}
