import type { ProjectDeletion } from '../contract/project.ts';
import { fileSummarySchema, type ProjectState } from '../contract/state.ts';
import type { Scope, Source } from '../scope.ts';
import { readState } from '../state/read.ts';
import { markStale } from '../state/staleness.ts';
import { jsonParam } from '../text/storable.ts';
import type { Queryable } from './database.ts';
import { holdsText } from './holds-text.ts';

/** A project's row. */
export interface ProjectRecord {
  projectId: string;
  name: string;
  stateVersion: number;
  state: ProjectState;
  /** Whether contexts are written on the leaves of its files; null: as the service is set. */
  contextual: boolean | null;
  seq: string;
  createdAt: Date;
  updatedAt: Date;
}

export interface ProjectRow {
  project_id: string;
  name: string;
  state: unknown;
  state_version: number;
  contextual: boolean | null;
  seq: string;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = 'project_id, name, state, state_version, contextual, seq, created_at, updated_at';

export const toProjectRecord = (row: ProjectRow): ProjectRecord => ({
  projectId: row.project_id,
  name: row.name,
  stateVersion: row.state_version,
  state: readState(row.state),
  contextual: row.contextual,
  seq: row.seq,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Adds a project, or the library; false when its id is taken. */
export async function insertProject(
  db: Queryable,
  scope: Scope,
  project: { kind: Source; name: string; state: ProjectState },
): Promise<boolean> {
  // of any index: two that make the library at the same moment may meet in that of libraries first
  const { rowCount } = await db.query(
    `insert into projects (workspace_id, project_id, kind, name, state) values ($1, $2, $3, $4, $5)
     on conflict do nothing`,
    [scope.workspaceId, scope.projectId, project.kind, project.name, jsonParam(project.state)],
  );
  return rowCount > 0;
}

/** How a transaction holds a project's row: to change its state, or to remove it. */
export type ProjectLock = 'change' | 'remove';

// "change" lets transactions that merely hold the project (see holdProject) go on, so that two of them that come to
// change the state queue up; "remove" waits for all of them, and must be asked for from the start
const LOCK_CLAUSE: Record<ProjectLock, string> = { change: 'for no key update', remove: 'for update' };

const PROJECT = `select ${COLUMNS} from projects where workspace_id = $1 and project_id = $2 and kind = 'project'`;

/** A `ProjectRow` by its first two parameters, workspace and project, held as for a change of its state. */
export const PROJECT_FOR_CHANGE = `${PROJECT} ${LOCK_CLAUSE.change}`;

/** The project, or null; with `lock`, its row is held until the transaction ends. */
export async function findProject(
  db: Queryable,
  scope: Scope,
  options: { lock?: ProjectLock } = {},
): Promise<ProjectRecord | null> {
  const { rows } = await db.query<ProjectRow>(`${PROJECT} ${options.lock ? LOCK_CLAUSE[options.lock] : ''}`, [
    scope.workspaceId,
    scope.projectId,
  ]);
  return rows[0] ? toProjectRecord(rows[0]) : null;
}

/**
 * Keeps the project from being deleted until the transaction ends; false when there is none. Taken before any row of
 * the project is locked, so that transactions on its files and its deletion cannot wait for each other.
 */
export async function holdProject(tx: Queryable, scope: Scope): Promise<boolean> {
  const { rows } = await tx.query(
    'select 1 from projects where workspace_id = $1 and project_id = $2 for key share',
    [scope.workspaceId, scope.projectId],
  );
  return rows.length > 0;
}

/**
 * Projects in order of creation; `after` and `before` are exclusive `seq` bounds.
 *
 * @param name what their names hold, in whatever case; null: anything
 */
export async function selectProjects(
  db: Queryable,
  workspaceId: string,
  page: { after: string | null; before: string | null; limit: number; descending: boolean },
  name: string | null,
): Promise<ProjectRecord[]> {
  const { rows } = await db.query<ProjectRow>(
    `select ${COLUMNS} from projects
     where workspace_id = $1 and kind = 'project'
       and ($2::bigint is null or seq > $2) and ($3::bigint is null or seq < $3)
       and ($5::text is null or ${holdsText('name', '$5')})
     order by seq ${page.descending ? 'desc' : 'asc'} limit $4`,
    [workspaceId, page.after, page.before, page.limit, name],
  );
  return rows.map(toProjectRecord);
}

/** What of a project can be set; what is left out stays. */
export interface ProjectChange {
  name?: string;
  contextual?: boolean | null;
}

/** Changes what is set of a project; false when there is none. */
export async function updateProject(
  db: Queryable,
  scope: Scope,
  { name, contextual }: ProjectChange,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update projects set name = coalesce($3, name), contextual = case when $4 then $5 else contextual end, updated_at = now()
     where workspace_id = $1 and project_id = $2 and kind = 'project'`,
    [scope.workspaceId, scope.projectId, name ?? null, contextual !== undefined, contextual ?? null],
  );
  return rowCount > 0;
}

/** What of a project's row goes with another state. */
export const setState = (parameter: string): string =>
  `state = ${parameter}, state_version = state_version + 1, updated_at = now()`;

/** Stores a changed state and counts its version up; the row must be locked by this transaction. */
export async function saveState(tx: Queryable, scope: Scope, state: ProjectState): Promise<number> {
  const { rows } = await tx.query<{ state_version: number }>(
    `update projects set ${setState('$3')}
     where workspace_id = $1 and project_id = $2 returning state_version`,
    [scope.workspaceId, scope.projectId, jsonParam(state)],
  );
  return rows[0]?.state_version ?? 0;
}

/**
 * Derives `file_summaries` from the files again, after one of them changed, and marks what rests on a version that is no
 * longer searched. A version that is being restored counts as searched: it was, where the project comes from. Waits for the
 * project's row. The library has no state of its own, so there is nothing to derive.
 */
export async function refreshFileSummaries(tx: Queryable, scope: Scope): Promise<void> {
  const project = await findProject(tx, scope, { lock: 'change' });
  if (!project) return;
  const { rows } = await tx.query<{
    name: string;
    uploaded_at: Date;
    summary: string | null;
    chunk_count: number;
    searchable_version: number;
    summary_version: number | null;
  }>(
    `select name, uploaded_at, summary, chunk_count, coalesce(searchable_version, restored_version) as searchable_version,
       summary_version
     from files where workspace_id = $1 and project_id = $2 and coalesce(searchable_version, restored_version) is not null
     order by seq`,
    [scope.workspaceId, scope.projectId],
  );
  const summaries = rows.map((row) =>
    fileSummarySchema.parse({
      filename: row.name,
      uploaded_at: row.uploaded_at.toISOString(),
      summary: row.summary ?? '',
      chunk_count: row.chunk_count,
      version: row.searchable_version,
      summary_version: row.summary_version,
    }),
  );
  if (JSON.stringify(summaries) === JSON.stringify(project.state.file_summaries)) return;
  await saveState(tx, scope, markStale({ ...project.state, file_summaries: summaries }));
}

/** Counts everything that hangs on a project. */
export async function countProjectRows(tx: Queryable, scope: Scope): Promise<ProjectDeletion['removed']> {
  const of = (table: string) =>
    `(select count(*)::int from ${table} where workspace_id = $1 and project_id = $2)`;
  const { rows } = await tx.query<ProjectDeletion['removed']>(
    `select ${of('files')} as files, ${of('file_versions')} as versions, ${of('document_parents')} as parents,
       ${of('document_leaves')} as leaves, ${of('leaf_vectors')} as vectors, ${of('turns')} as turns,
       ${of('turn_summaries')} as summaries, ${of('jobs')} as jobs`,
    [scope.workspaceId, scope.projectId],
  );
  const counts = rows[0];
  if (!counts) throw new Error('a count gave no row');
  return counts;
}

/** Removes the project's row, and with it, by cascade, everything that came from it. */
export async function deleteProjectRow(tx: Queryable, scope: Scope): Promise<void> {
  // on a cluster these are kept apart from what they stand for
  for (const what of ['turn_number', 'run_id']) {
    await tx.query(
      `delete from idempotency_keys where workspace_id = $1 and project_id = $2 and ${what} is not null`,
      [scope.workspaceId, scope.projectId],
    );
  }
  await tx.query('delete from projects where workspace_id = $1 and project_id = $2', [
    scope.workspaceId,
    scope.projectId,
  ]);
}
