import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';

/** A parent of a file's searchable version. */
export interface ParentText {
  parent_id: string;
  text: string;
  breadcrumb: string;
  header_path: string[];
  page: number | null;
  char_start: number;
  char_end: number;
  tokens: number;
  filename: string;
  media_type: string;
  version: number;
}

const SELECT = `select p.parent_id, p.text, p.breadcrumb, p.header_path, p.page, p.char_start, p.char_end, p.tokens,
    f.name as filename, f.media_type, f.searchable_version as version
  from files f join document_parents p using (workspace_id, project_id, file_id)
  where f.workspace_id = $1 and f.project_id = $2 and f.name = $3 and p.version = f.searchable_version`;

/** All parents of a file, in document order. */
export async function selectParents(db: Queryable, scope: Scope, filename: string): Promise<ParentText[]> {
  const { rows } = await db.query<ParentText>(`${SELECT} order by p.parent_index`, [
    scope.workspaceId,
    scope.projectId,
    filename,
  ]);
  return rows;
}

/** The parents that a stretch of a file's Markdown lies in, in document order, if that version is still searched. */
export async function selectParentsWithin(
  db: Queryable,
  scope: Scope,
  { filename, version, start, end }: { filename: string; version: number; start: number; end: number },
): Promise<ParentText[]> {
  const { rows } = await db.query<ParentText>(
    `${SELECT} and f.searchable_version = $4 and p.char_start < $6 and p.char_end > $5 order by p.parent_index`,
    [scope.workspaceId, scope.projectId, filename, version, start, end],
  );
  return rows;
}

/** The parents around one of a file, itself included, nearest first. */
export async function selectParentsAround(
  db: Queryable,
  scope: Scope,
  { filename, parentId, limit }: { filename: string; parentId: string; limit: number },
): Promise<ParentText[]> {
  const { rows } = await db.query<ParentText>(
    `${SELECT} order by abs(p.parent_index - (select parent_index from document_parents
       where workspace_id = $1 and project_id = $2 and parent_id = $4)), p.parent_index limit $5`,
    [scope.workspaceId, scope.projectId, filename, parentId, limit],
  );
  return rows;
}
