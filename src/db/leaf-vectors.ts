import type { Scope } from '../scope.ts';
import { batches } from './batches.ts';
import type { Queryable } from './database.ts';
import { type CachedModel, cacheKey } from './embedding-cache.ts';

/** Ids of the file's leaves that have a vector. */
export async function selectEmbeddedLeafIds(
  db: Queryable,
  scope: Scope,
  fileId: string,
): Promise<Set<string>> {
  const { rows } = await db.query<{ leaf_id: string }>(
    `select leaf_id from leaf_vectors
     where workspace_id = $1 and project_id = $2 and file_id = $3`,
    [scope.workspaceId, scope.projectId, fileId],
  );
  return new Set(rows.map((row) => row.leaf_id));
}

/** Whether the file has exactly so many leaves, and each of them a vector. */
export async function hasVectorsForAll(
  tx: Queryable,
  scope: Scope,
  fileId: string,
  leaves: number,
): Promise<boolean> {
  const { rows } = await tx.query<{ leaves: number; embedded: number }>(
    // not a join: nothing is known yet of how many rows were added, and the planner would compare each with each
    `select count(*)::int as leaves, count(*) filter (where exists (
         select from leaf_vectors v where v.workspace_id = $1 and v.project_id = $2 and v.leaf_id = l.leaf_id
       ))::int as embedded
     from document_leaves l where l.workspace_id = $1 and l.project_id = $2 and l.file_id = $3`,
    [scope.workspaceId, scope.projectId, fileId],
  );
  return rows[0]?.leaves === leaves && rows[0].embedded === leaves;
}

/** A leaf that is to have a vector from the embedding cache. */
export interface LeafOfVector {
  id: string;
  /** Of what is embedded (`embeddedHash`). */
  hash: string;
  withContext: boolean;
}

/**
 * Gives leaves the vectors that the embedding cache has for them, within the database; a leaf that has one keeps it,
 * and one that is not in the cache gets none.
 *
 * @returns how many were given one
 */
export async function copyLeafVectors(
  tx: Queryable,
  scope: Scope,
  fileId: string,
  model: CachedModel,
  leaves: readonly LeafOfVector[],
): Promise<number> {
  let given = 0;
  for (const batch of batches(leaves)) {
    const { rowCount } = await tx.query(
      `insert into leaf_vectors (workspace_id, project_id, leaf_id, file_id, embedding, with_context)
       select $1, $2, l.leaf_id, $7, c.embedding, l.with_context ${FROM_LEAVES}
       join embedding_cache c on c.model = $3 and c.dimensions = $4 and c.input_hash = l.hash
       on conflict (workspace_id, project_id, leaf_id) do nothing`,
      valuesOf(scope, fileId, model, batch),
    );
    given += rowCount;
  }
  return given;
}

/** The same for leaves that have a vector: it gives way. One that is not in the cache keeps its own. */
export async function replaceLeafVectors(
  tx: Queryable,
  scope: Scope,
  fileId: string,
  model: CachedModel,
  leaves: readonly LeafOfVector[],
): Promise<void> {
  for (const batch of batches(leaves)) {
    await tx.query(
      `update leaf_vectors v set embedding = c.embedding, with_context = l.with_context ${FROM_LEAVES}
       join embedding_cache c on c.model = $3 and c.dimensions = $4 and c.input_hash = l.hash
       where v.workspace_id = $1 and v.project_id = $2 and v.file_id = $7 and v.leaf_id = l.leaf_id`,
      valuesOf(scope, fileId, model, batch),
    );
  }
}

const FROM_LEAVES = 'from unnest($5::text[], $6::text[], $8::boolean[]) as l (leaf_id, hash, with_context)';

const valuesOf = (scope: Scope, fileId: string, model: CachedModel, leaves: readonly LeafOfVector[]) => [
  scope.workspaceId,
  scope.projectId,
  model.id,
  model.dimensions,
  leaves.map(({ id }) => id),
  leaves.map(({ hash }) => cacheKey(scope.workspaceId, hash)),
  fileId,
  leaves.map(({ withContext }) => withContext),
];
