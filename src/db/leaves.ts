import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';
import { headerFilterSql } from './file-filter.ts';

/** A leaf with all that a reader of it needs. */
export interface StoredLeafText {
  leafId: string;
  leafIndex: number;
  headerPath: string[];
  text: string;
  charStart: number;
  charEnd: number;
  page: number | null;
  tokens: number;
}

const COLUMNS = 'leaf_id, leaf_index, header_path, text, char_start, char_end, page, tokens';

interface LeafRow {
  leaf_id: string;
  leaf_index: number;
  header_path: string[];
  text: string;
  char_start: number;
  char_end: number;
  page: number | null;
  tokens: number;
}

const toLeaf = (row: LeafRow): StoredLeafText => ({
  leafId: row.leaf_id,
  leafIndex: row.leaf_index,
  headerPath: row.header_path,
  text: row.text,
  charStart: row.char_start,
  charEnd: row.char_end,
  page: row.page,
  tokens: row.tokens,
});

/** A leaf of a file's searchable version, or null. */
export async function findLeaf(
  db: Queryable,
  scope: Scope,
  fileId: string,
  leafId: string,
): Promise<StoredLeafText | null> {
  const { rows } = await db.query<LeafRow>(
    `select ${COLUMNS} from document_leaves
     where workspace_id = $1 and project_id = $2 and leaf_id = $3 and file_id = $4`,
    [scope.workspaceId, scope.projectId, leafId, fileId],
  );
  return rows[0] ? toLeaf(rows[0]) : null;
}

/** The leaves at some places of a file, by place, if this version of it is still the searchable one. */
export async function selectLeavesAt(
  db: Queryable,
  scope: Scope,
  file: { fileId: string; version: number },
  places: readonly number[],
): Promise<Map<number, StoredLeafText>> {
  const { rows } = await db.query<LeafRow>(
    `select ${COLUMNS} from document_leaves
     where workspace_id = $1 and project_id = $2 and file_id = $3 and version = $4 and leaf_index = any($5::int[])`,
    [scope.workspaceId, scope.projectId, file.fileId, file.version, places],
  );
  return new Map(rows.map((row) => [row.leaf_index, toLeaf(row)]));
}

/** What stands under some headings, of one file. */
export interface Under {
  /** Places of leaves. */
  leafIndexes: Set<number>;
  /** How many sections those leaves are read in. */
  sections: number;
}

/** The leaves under some headings, by file. */
export async function selectLeavesUnder(
  db: Queryable,
  scope: Scope,
  headerPath: readonly string[],
): Promise<Map<string, Under>> {
  const { rows } = await db.query<{ file_id: string; leaf_indexes: number[]; sections: number }>(
    `select l.file_id, json_agg(l.leaf_index) as leaf_indexes, count(distinct l.parent_id)::int as sections
     from document_leaves l
     where l.workspace_id = $1 and l.project_id = $2 and ${headerFilterSql(3)} group by l.file_id`,
    [scope.workspaceId, scope.projectId, headerPath],
  );
  return new Map(
    rows.map(({ file_id, leaf_indexes, sections }) => [
      file_id,
      { leafIndexes: new Set(leaf_indexes), sections },
    ]),
  );
}
