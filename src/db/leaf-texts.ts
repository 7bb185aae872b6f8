import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';
import type { LeafHit } from './leaf-hit.ts';

/** The texts of some leaves, their headings in front; of a version that was replaced since, none. */
export async function selectLeafTexts(
  db: Queryable,
  scope: Scope,
  hits: readonly LeafHit[],
): Promise<{ fileId: string; leafIndex: number; text: string }[]> {
  const { rows } = await db.query<{ fileId: string; leafIndex: number; text: string }>(
    `select l.file_id as "fileId", l.leaf_index as "leafIndex", l.breadcrumb || E'\\n' || l.text as text
     from unnest($3::text[], $4::int[], $5::int[]) as c (file_id, version, leaf_index)
     join document_leaves l on l.workspace_id = $1 and l.project_id = $2 and l.file_id = c.file_id
       and l.version = c.version and l.leaf_index = c.leaf_index`,
    [
      scope.workspaceId,
      scope.projectId,
      hits.map((hit) => hit.fileId),
      hits.map((hit) => hit.version),
      hits.map((hit) => hit.leafIndex),
    ],
  );
  return rows;
}
