import type { Scope } from '../scope.ts';
import { LEXICAL_BUILD, type PostingsLeaf } from '../text/postings.ts';
import type { Queryable } from './database.ts';

/*
 * Files and turns whose postings are of another build of the lexical index than this code's. One that was never indexed is
 * none of them: it will be by this build.
 */

// two ranges and not "<>", which an index cannot answer
const OF_OTHER_BUILD = '(lexical_build < $1 or lexical_build > $1)';
const OF_OLDER_BUILD = 'lexical_build < $1';
const STALE_FILES = 'from files where searchable_version is not null and';
const STALE_TURNS = 'from turns where lexical_length is not null and';
const OF_PROJECT = 'workspace_id = $2 and project_id = $3';

/**
 * The projects that have any.
 *
 * @param builds `older`: what a newer build wrote is left alone
 */
export async function selectStaleProjects(db: Queryable, builds: 'other' | 'older'): Promise<Scope[]> {
  const stale = builds === 'older' ? OF_OLDER_BUILD : OF_OTHER_BUILD;
  const { rows } = await db.query<{ workspace_id: string; project_id: string }>(
    `select workspace_id, project_id ${STALE_FILES} ${stale}
     union select workspace_id, project_id ${STALE_TURNS} ${stale} order by 1, 2`,
    [LEXICAL_BUILD],
  );
  return rows.map((row) => ({ workspaceId: row.workspace_id, projectId: row.project_id }));
}

/** A searchable version, under the name that its leaves' context headers hold. */
export interface SearchableVersion {
  fileId: string;
  version: number;
  name: string;
}

/** One of the project's files, or null. */
export async function findStaleFile(db: Queryable, scope: Scope): Promise<SearchableVersion | null> {
  const { rows } = await db.query<{ file_id: string; version: number; name: string }>(
    `select file_id, searchable_version as version, name ${STALE_FILES} ${OF_PROJECT} and ${OF_OTHER_BUILD} limit 1`,
    [LEXICAL_BUILD, scope.workspaceId, scope.projectId],
  );
  const [row] = rows;
  return row ? { fileId: row.file_id, version: row.version, name: row.name } : null;
}

/** Leaves of a searchable version as they are indexed, in order, from the one after a place; none when it is no longer. */
export async function selectLeavesToIndex(
  db: Queryable,
  scope: Scope,
  file: SearchableVersion,
  page: { after: number; limit: number },
): Promise<PostingsLeaf[]> {
  const { rows } = await db.query<{ leaf_index: number; text: string; breadcrumb: string }>(
    `select leaf_index, text, breadcrumb from document_leaves
     where workspace_id = $1 and project_id = $2 and file_id = $3 and version = $4 and leaf_index > $5
     order by leaf_index limit $6`,
    [scope.workspaceId, scope.projectId, file.fileId, file.version, page.after, page.limit],
  );
  return rows.map(({ leaf_index, ...leaf }) => ({ leafIndex: leaf_index, ...leaf }));
}

/** Holds the file's row until the transaction ends; false when this version is not the searchable one any more, or has another name. */
export async function holdSearchableVersion(
  tx: Queryable,
  scope: Scope,
  file: SearchableVersion,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select 1 from files
     where workspace_id = $1 and project_id = $2 and file_id = $3 and searchable_version = $4 and name = $5
     for update`,
    [scope.workspaceId, scope.projectId, file.fileId, file.version, file.name],
  );
  return rowCount > 0;
}

/** One of the project's turns, its row held until the transaction ends, or null. */
export async function holdStaleTurn(
  tx: Queryable,
  scope: Scope,
): Promise<{ turnNumber: number; message: string; response: string | null } | null> {
  const { rows } = await tx.query<{ turn_number: number; message: string; response: string | null }>(
    `select turn_number, message, response ${STALE_TURNS} ${OF_PROJECT} and ${OF_OTHER_BUILD}
     order by turn_number limit 1 for update`,
    [LEXICAL_BUILD, scope.workspaceId, scope.projectId],
  );
  const row = rows[0];
  return row ? { turnNumber: row.turn_number, message: row.message, response: row.response } : null;
}
