import type { Queryable } from '../../../src/db/database.ts';
import { realArray } from '../../../src/db/real-array.ts';
import type { Scope } from '../../../src/scope.ts';

/** Vectors of a file's leaves, all of the same length, in one statement. */
export async function storeLeafVectors(
  db: Queryable,
  scope: Scope,
  fileId: string,
  vectors: readonly { leafId: string; vector: Float32Array }[],
): Promise<void> {
  await db.query(
    `insert into leaf_vectors (workspace_id, project_id, leaf_id, file_id, embedding)
     select $1, $2, leaf_id, $6, ($4::real[])[(n - 1) * $5::int + 1 : n * $5]::vector
     from unnest($3::text[]) with ordinality as v (leaf_id, n)`,
    [
      scope.workspaceId,
      scope.projectId,
      vectors.map(({ leafId }) => leafId),
      realArray(vectors.map(({ vector }) => vector)),
      vectors[0]?.vector.length ?? 0,
      fileId,
    ],
  );
}
