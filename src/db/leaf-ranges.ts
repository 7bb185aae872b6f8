import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';

/** A leaf by its range in the file's Markdown. */
export interface LeafRange {
  leafId: string;
  parentId: string;
  charStart: number;
  charEnd: number;
  page: number | null;
}

/** The leaves of some parents, by their ranges. */
export async function selectLeafRanges(
  db: Queryable,
  scope: Scope,
  parentIds: readonly string[],
): Promise<LeafRange[]> {
  const { rows } = await db.query<{
    leaf_id: string;
    parent_id: string;
    char_start: number;
    char_end: number;
    page: number | null;
  }>(
    `select leaf_id, parent_id, char_start, char_end, page from document_leaves
     where workspace_id = $1 and project_id = $2 and parent_id = any($3::text[]) order by leaf_index`,
    [scope.workspaceId, scope.projectId, parentIds],
  );
  return rows.map((row) => ({
    leafId: row.leaf_id,
    parentId: row.parent_id,
    charStart: row.char_start,
    charEnd: row.char_end,
    page: row.page,
  }));
}
