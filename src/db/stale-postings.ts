import type { Scope } from '../scope.ts';
import { LEXICAL_BUILD, type PostingsLeaf } from '../text/postings.ts';
import type { Queryable } from './database.ts';
import { CONTEXT_OF_LEAF } from './leaf-contexts.ts';

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
  /** Of the contexts of its leaves. */
  contextRevision: number;
}

const SEARCHABLE_VERSION =
  'file_id as "fileId", searchable_version as version, name, context_revision as "contextRevision"';

/**
 * The next of the project's files, or null.
 *
 * @param after a file id: those up to it are passed over
 */
export async function findStaleFile(
  db: Queryable,
  scope: Scope,
  after: string,
): Promise<SearchableVersion | null> {
  const { rows } = await db.query<SearchableVersion>(
    `select ${SEARCHABLE_VERSION} ${STALE_FILES} ${OF_PROJECT} and ${OF_OTHER_BUILD} and file_id > $4
     order by file_id limit 1`,
    [LEXICAL_BUILD, scope.workspaceId, scope.projectId, after],
  );
  return rows[0] ?? null;
}

/** What is searched of a file; null when nothing is. */
export async function findSearchableVersion(
  db: Queryable,
  scope: Scope,
  fileId: string,
): Promise<SearchableVersion | null> {
  const { rows } = await db.query<SearchableVersion>(
    `select ${SEARCHABLE_VERSION} from files
     where workspace_id = $1 and project_id = $2 and file_id = $3 and searchable_version is not null`,
    [scope.workspaceId, scope.projectId, fileId],
  );
  return rows[0] ?? null;
}

/** Leaves of a searchable version as they are indexed, in order, from the one after a place; none when it is no longer. */
export async function selectLeavesToIndex(
  db: Queryable,
  scope: Scope,
  file: SearchableVersion,
  page: { after: number; limit: number },
): Promise<PostingsLeaf[]> {
  const { rows } = await db.query<PostingsLeaf>(
    `select l.leaf_index as "leafIndex", l.text, l.breadcrumb, c.context from document_leaves l ${CONTEXT_OF_LEAF}
     where l.workspace_id = $1 and l.project_id = $2 and l.file_id = $3 and l.version = $4 and l.leaf_index > $5
     order by l.leaf_index limit $6`,
    [scope.workspaceId, scope.projectId, file.fileId, file.version, page.after, page.limit],
  );
  return rows;
}

/**
 * Holds the file's row until the transaction ends; false when this version is not the searchable one any more, or has another name
 * or other contexts.
 */
export async function holdSearchableVersion(
  tx: Queryable,
  scope: Scope,
  file: SearchableVersion,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select 1 from files
     where workspace_id = $1 and project_id = $2 and file_id = $3 and searchable_version = $4 and name = $5
       and context_revision = $6
     for update`,
    [scope.workspaceId, scope.projectId, file.fileId, file.version, file.name, file.contextRevision],
  );
  return rowCount > 0;
}

/**
 * The next of the project's turns, or null.
 *
 * @param after a turn's number: those up to it are passed over
 */
export async function findStaleTurn(db: Queryable, scope: Scope, after: number): Promise<number | null> {
  const { rows } = await db.query<{ turn_number: number }>(
    `select turn_number ${STALE_TURNS} ${OF_PROJECT} and ${OF_OTHER_BUILD} and turn_number > $4
     order by turn_number limit 1`,
    [LEXICAL_BUILD, scope.workspaceId, scope.projectId, after],
  );
  return rows[0]?.turn_number ?? null;
}

/** What was said in a turn, its row held until the transaction ends; null when it is not stale any more. */
export async function holdStaleTurn(
  tx: Queryable,
  scope: Scope,
  turnNumber: number,
): Promise<{ message: string; response: string | null } | null> {
  const { rows } = await tx.query<{ message: string; response: string | null }>(
    `select message, response ${STALE_TURNS} ${OF_PROJECT} and ${OF_OTHER_BUILD} and turn_number = $4 for update`,
    [LEXICAL_BUILD, scope.workspaceId, scope.projectId, turnNumber],
  );
  return rows[0] ?? null;
}
