import type { Leaf } from '../documents/chunking/chunks.ts';
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

/**
 * Gives leaves the vectors that the embedding cache has for their content, within the database; a leaf that has one keeps it,
 * and one that is not in the cache gets none.
 *
 * @returns how many were given one
 */
export async function copyLeafVectors(
  tx: Queryable,
  scope: Scope,
  fileId: string,
  model: CachedModel,
  leaves: readonly Pick<Leaf, 'id' | 'contentHash'>[],
): Promise<number> {
  let given = 0;
  for (const batch of batches(leaves)) {
    const { rowCount } = await tx.query(
      `insert into leaf_vectors (workspace_id, project_id, leaf_id, file_id, embedding)
       select $1, $2, l.leaf_id, $7, c.embedding from unnest($5::text[], $6::text[]) as l(leaf_id, hash)
       join embedding_cache c on c.model = $3 and c.dimensions = $4 and c.input_hash = l.hash
       on conflict (workspace_id, project_id, leaf_id) do nothing`,
      [
        scope.workspaceId,
        scope.projectId,
        model.id,
        model.dimensions,
        batch.map((leaf) => leaf.id),
        batch.map((leaf) => cacheKey(scope.workspaceId, leaf.contentHash)),
        fileId,
      ],
    );
    given += rowCount;
  }
  return given;
}
