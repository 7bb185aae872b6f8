import type { ProjectEventType } from '../contract/project-event.ts';
import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';

/*
 * What has changed in projects: written by triggers (migrations/0024_project_events.sql) in the transaction that changes it,
 * and numbered in the order in which these are committed.
 */

/** An event as it is stored. */
export interface StoredProjectEvent {
  seq: number;
  type: ProjectEventType;
  /** What it is about: names and numbers. */
  subject: Record<string, string | number>;
  at: Date;
}

/** The events of a project that follow a number, in order. */
export async function selectProjectEvents(
  db: Queryable,
  scope: Scope,
  { after, limit }: { after: number; limit: number },
): Promise<StoredProjectEvent[]> {
  const { rows } = await db.query<Omit<StoredProjectEvent, 'seq'> & { seq: string }>(
    `select seq, type, subject, at from project_events
     where workspace_id = $1 and project_id = $2 and seq > $3 order by seq limit $4`,
    [scope.workspaceId, scope.projectId, after, limit],
  );
  return rows.map(({ seq, ...event }) => ({ seq: Number(seq), ...event }));
}

/** The number of a project's last event; 0 where there is none. */
export async function findLastEvent(db: Queryable, scope: Scope): Promise<number> {
  const { rows } = await db.query<{ last: string | null }>(
    'select max(seq) as last from project_events where workspace_id = $1 and project_id = $2',
    [scope.workspaceId, scope.projectId],
  );
  return Number(rows[0]?.last ?? 0);
}

/** A project, and the stamp that is known of its events. */
export interface KnownFeed {
  key: Scope;
  stamp: string;
}

/** The numbers of the last events of those of these projects where they are not as they were known; null: there is no project. */
export async function selectChangedFeeds(
  db: Queryable,
  known: readonly KnownFeed[],
): Promise<{ place: number; stamp: string; value: number | null }[]> {
  const { rows } = await db.query<{ place: number; stamp: string }>(
    `select w.place::int - 1 as place, found.stamp
     from unnest($1::text[], $2::text[], $3::text[]) with ordinality as w (workspace_id, project_id, stamp, place)
       left join projects p using (workspace_id, project_id),
       lateral (select case when p.project_id is null then 'none' else coalesce((
         select max(seq) from project_events e
         where e.workspace_id = w.workspace_id and e.project_id = w.project_id), 0)::text end as stamp) found
     where found.stamp <> w.stamp`,
    [
      known.map(({ key }) => key.workspaceId),
      known.map(({ key }) => key.projectId),
      known.map(({ stamp }) => stamp),
    ],
  );
  return rows.map(({ place, stamp }) => ({ place, stamp, value: stamp === 'none' ? null : Number(stamp) }));
}
