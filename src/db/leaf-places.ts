import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';

/** Where a leaf stands in the Markdown of its file's searchable version. */
export interface LeafPlace {
  leafId: string;
  parentId: string;
  headerPath: string[];
  charStart: number;
  charEnd: number;
  page: number | null;
}

const SELECT = `select leaf_id, parent_id, header_path, char_start, char_end, page from document_leaves
  where workspace_id = $1 and project_id = $2`;

async function selectPlaces(db: Queryable, sql: string, params: readonly unknown[]): Promise<LeafPlace[]> {
  const { rows } = await db.query<{
    leaf_id: string;
    parent_id: string;
    header_path: string[];
    char_start: number;
    char_end: number;
    page: number | null;
  }>(sql, params);
  return rows.map((row) => ({
    leafId: row.leaf_id,
    parentId: row.parent_id,
    headerPath: row.header_path,
    charStart: row.char_start,
    charEnd: row.char_end,
    page: row.page,
  }));
}

/** The places of all leaves of a file, in document order. */
export const selectLeafPlaces = (db: Queryable, scope: Scope, fileId: string): Promise<LeafPlace[]> =>
  selectPlaces(db, `${SELECT} and file_id = $3 order by leaf_index`, [
    scope.workspaceId,
    scope.projectId,
    fileId,
  ]);

/** The places of the leaves of some parents, those of each file in document order. */
export const selectLeavesOfParents = (
  db: Queryable,
  scope: Scope,
  parentIds: readonly string[],
): Promise<LeafPlace[]> =>
  selectPlaces(db, `${SELECT} and parent_id = any($3::text[]) order by leaf_index`, [
    scope.workspaceId,
    scope.projectId,
    parentIds,
  ]);
