import type { ProjectEventType } from '../contract/project-event.ts';
import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';
import { perProject } from './distribution/per-project.ts';

/*
 * What has changed in projects: written by triggers (migrations/0024_project_events.sql, 0025, 0027) in the transaction that changes it,
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

/** A stretch of a feed. */
export interface FeedPage {
  /** The events that follow a number, in order. */
  events: StoredProjectEvent[];
  /** Up to this number events have been removed, since they had grown old; 0: none has. */
  trimmedThrough: number;
}

const TRIMMED = `coalesce((select through from trimmed_feeds where workspace_id = $1 and project_id = $2), 0)`;

/** The events of a project that follow a number, and what of its feed is gone, as they are at one moment. */
export async function selectProjectEvents(
  db: Queryable,
  scope: Scope,
  { after, limit }: { after: number; limit: number },
): Promise<FeedPage> {
  type Row = Omit<StoredProjectEvent, 'seq'> & { seq: string };
  type None = Record<keyof Row, null>;
  const { rows } = await db.query<(Row | None) & { trimmed: string }>(
    `select t.trimmed, e.seq, e.type, e.subject, e.at from (select ${TRIMMED} as trimmed) t left join (
       select seq, type, subject, at from project_events
       where workspace_id = $1 and project_id = $2 and seq > $3 order by seq limit $4) e on true
     order by e.seq`,
    [scope.workspaceId, scope.projectId, after, limit],
  );
  const events = rows.flatMap(({ trimmed: _, ...event }) =>
    event.seq === null ? [] : [{ ...event, seq: Number(event.seq) }],
  );
  return { events, trimmedThrough: Number(rows[0]?.trimmed ?? 0) };
}

/** The number of the last event that a project had, whether it is kept or not; 0 where there was none. */
export async function findLastEvent(db: Queryable, scope: Scope): Promise<number> {
  const { rows } = await db.query<{ last: string }>(
    `select greatest(${TRIMMED}, (select max(seq) from project_events where workspace_id = $1 and project_id = $2)) as last`,
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
  return perProject(
    db,
    known,
    ({ key }) => key,
    async (some, placeOf) => {
      const { rows } = await db.query<{ place: number; stamp: string }>(
        `select w.place::int - 1 as place, found.stamp
       from unnest($1::text[], $2::text[], $3::text[]) with ordinality as w (workspace_id, project_id, stamp, place)
         left join projects p on p.workspace_id = w.workspace_id and p.project_id = w.project_id
           and p.project_id = any ($2::text[]),
         lateral (select case when p.project_id is null then 'none' else coalesce((
           select max(seq) from project_events e
           where e.workspace_id = w.workspace_id and e.project_id = w.project_id and e.project_id = any ($2::text[])), 0)::text
           end as stamp) found
       where found.stamp <> w.stamp`,
        [
          some.map(({ key }) => key.workspaceId),
          some.map(({ key }) => key.projectId),
          some.map(({ stamp }) => stamp),
        ],
      );
      return rows.map(({ place, stamp }) => ({
        place: placeOf(place),
        stamp,
        value: stamp === 'none' ? null : Number(stamp),
      }));
    },
  );
}

/**
 * Holds the feeds of projects to the end of a transaction, in one order, so that no two that hold several wait for each other.
 * The commit of whatever changes a project does that for it: this is for what changes several, after all else that it does.
 */
export async function holdFeeds(tx: Queryable, scopes: readonly Scope[]): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock(20240, feed) from (
       select distinct (hashtextextended(workspace_id || '/' || project_id, 0) & 1023)::int as feed
       from unnest($1::text[], $2::text[]) as w (workspace_id, project_id) order by feed offset 0) held`,
    [scopes.map(({ workspaceId }) => workspaceId), scopes.map(({ projectId }) => projectId)],
  );
}
