import type { Quotas } from '../contract/quota.ts';
import type { WorkspaceDeletion } from '../contract/workspace.ts';
import { jsonParam } from '../text/storable.ts';
import type { Queryable } from './database.ts';
import { forgetVectorsOf } from './embedding-cache.ts';
import { holdFeeds } from './project-events.ts';

/** Whether there is a workspace of this id. */
export async function isWorkspace(db: Queryable, workspaceId: string): Promise<boolean> {
  const { rows } = await db.query('select 1 from workspaces where workspace_id = $1', [workspaceId]);
  return rows.length > 0;
}

/** A workspace's row. */
export interface WorkspaceRow {
  workspace_id: string;
  name: string;
  created_at: Date;
  /** Of its own. */
  quotas: Partial<Quotas>;
  seq: string;
}

const COLUMNS = 'workspace_id, name, created_at, quotas, seq';

/** Null when the id is taken. */
export async function insertWorkspace(
  db: Queryable,
  workspaceId: string,
  name: string,
): Promise<WorkspaceRow | null> {
  const { rows } = await db.query<WorkspaceRow>(
    `insert into workspaces (workspace_id, name) values ($1, $2) on conflict do nothing returning ${COLUMNS}`,
    [workspaceId, name],
  );
  return rows[0] ?? null;
}

export async function findWorkspace(db: Queryable, workspaceId: string): Promise<WorkspaceRow | null> {
  const { rows } = await db.query<WorkspaceRow>(`select ${COLUMNS} from workspaces where workspace_id = $1`, [
    workspaceId,
  ]);
  return rows[0] ?? null;
}

/**
 * Changes what is given; null when there is no such workspace.
 *
 * @param quotas own ones, by name; those that are not named stay
 * @param unset names of those that it is to have none of its own of
 */
export async function updateWorkspace(
  db: Queryable,
  workspaceId: string,
  { name, quotas, unset }: { name: string | null; quotas: Partial<Quotas>; unset: readonly string[] },
): Promise<WorkspaceRow | null> {
  const { rows } = await db.query<WorkspaceRow>(
    `update workspaces set name = coalesce($2, name), quotas = (quotas || $3::jsonb) - $4::text[]
     where workspace_id = $1 returning ${COLUMNS}`,
    [workspaceId, name, jsonParam(quotas), unset],
  );
  return rows[0] ?? null;
}

/** Workspaces in order of creation; `after` and `before` are exclusive `seq` bounds. */
export async function selectWorkspaces(
  db: Queryable,
  page: { after: string | null; before: string | null; limit: number; descending: boolean },
): Promise<WorkspaceRow[]> {
  const { rows } = await db.query<WorkspaceRow>(
    `select ${COLUMNS} from workspaces
     where ($1::bigint is null or seq > $1) and ($2::bigint is null or seq < $2)
     order by seq ${page.descending ? 'desc' : 'asc'} limit $3`,
    [page.after, page.before, page.limit],
  );
  return rows;
}

/** Holds the workspace against everything that would be added to it, and counts what it has; null when there is none. */
export async function holdWorkspaceForRemoval(
  tx: Queryable,
  workspaceId: string,
): Promise<WorkspaceDeletion['removed'] | null> {
  const held = await tx.query('select 1 from workspaces where workspace_id = $1 for update', [workspaceId]);
  if (held.rows.length === 0) return null;
  const of = (table: string) => `(select count(*)::int from ${table} where workspace_id = $1)`;
  const { rows } = await tx.query<WorkspaceDeletion['removed']>(
    `select (select count(*)::int from projects where workspace_id = $1 and kind = 'project') as projects,
       ${of('files')} as files, ${of('turns')} as turns, ${of('api_keys')} as keys`,
    [workspaceId],
  );
  return rows[0] ?? null;
}

/** Removes the workspace, by cascade with everything that came from it, and the vectors of its texts from the cache. */
export async function deleteWorkspaceRow(tx: Queryable, workspaceId: string): Promise<void> {
  const { rows } = await tx.query<{ project_id: string }>(
    'select project_id from projects where workspace_id = $1',
    [workspaceId],
  );
  // what no key to the workspace takes along: of buckets there is none, and on a cluster it is kept apart from what is distributed
  for (const table of ['rate_limits', 'projects', 'webhooks', 'spending']) {
    await tx.query(`delete from ${table} where workspace_id = $1`, [workspaceId]);
  }
  await forgetVectorsOf(tx, workspaceId);
  await tx.query('delete from workspaces where workspace_id = $1', [workspaceId]);
  await holdFeeds(
    tx,
    rows.map(({ project_id }) => ({ workspaceId, projectId: project_id })),
  );
}
