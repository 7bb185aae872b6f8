import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';

/** Where a leaf stands in its file's searchable version. */
export interface LeafPlace {
  leafId: string;
  parentId: string;
  headerPath: string[];
  charStart: number;
  charEnd: number;
}

/** The places of all leaves of a file, in document order. */
export async function selectLeafPlaces(db: Queryable, scope: Scope, fileId: string): Promise<LeafPlace[]> {
  const { rows } = await db.query<{
    leaf_id: string;
    parent_id: string;
    header_path: string[];
    char_start: number;
    char_end: number;
  }>(
    `select leaf_id, parent_id, header_path, char_start, char_end from document_leaves
     where workspace_id = $1 and project_id = $2 and file_id = $3 order by leaf_index`,
    [scope.workspaceId, scope.projectId, fileId],
  );
  return rows.map((row) => ({
    leafId: row.leaf_id,
    parentId: row.parent_id,
    headerPath: row.header_path,
    charStart: row.char_start,
    charEnd: row.char_end,
  }));
}
