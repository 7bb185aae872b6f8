import type { Scope } from '../scope.ts';
import { jsonParam } from '../text/storable.ts';
import type { Queryable } from './database.ts';
import { perProject } from './distribution/per-project.ts';

/*
 * What turns and runs of the research agent have in common in storage: attempts under a lease, and events that are
 * numbered within an attempt. Each kind has two tables of the same shape, and the statements are made for these.
 */

/** Where a kind is stored. */
export interface FollowedTables {
  owners: 'turns' | 'research_runs';
  events: 'turn_events' | 'research_events';
  /** The column that names one within its project. */
  key: 'turn_number' | 'run_id';
  keyType: 'int' | 'text';
  /** Of the names of its events: the last one is the prefix with the status behind it. */
  prefix: 'turn' | 'run';
}

/** Room for the events of one attempt; the next attempt counts on from there. */
export const EVENTS_PER_ATTEMPT = 1_000_000;

/** Events whose texts are joined in storage when they follow each other. */
export type DeltaType = 'answer.delta' | 'reasoning.delta';

/**
 * An event as it is stored: deltas of one kind that follow each other share a row, whose data are their texts. It is read as it
 * was sent, also if an earlier version sent it, and therefore not checked again. `seq`: of the row's last event.
 */
export interface StoredEvent {
  type: string;
  data: unknown;
  seq: number;
}

export interface EventRow<Id> extends StoredEvent {
  scope: Scope;
  id: Id;
  attempt: number;
}

/** How a turn or run stands, with what was stored of its present attempt after a number. */
export interface EventPage<Status extends string = string> {
  status: Status;
  attempt: number;
  /** It is in progress, and whoever worked on it has stopped saying so. */
  abandoned: boolean;
  /** Its last event is stored. */
  closed: boolean;
  /** It ended long enough ago for everything of it to be stored. */
  settled: boolean;
  rows: StoredEvent[];
  /** There are more rows than were asked for. */
  hasMore: boolean;
}

/** A worker writes the last event right after its row; this is ample for it. */
const SETTLED_AFTER_SECONDS = 2;

/** One of a kind, and the stamp that is known of it; empty: none is. */
export interface KnownOwner<Id> {
  key: { scope: Scope; id: Id };
  stamp: string;
}

const ABANDONED = `t.status = 'in_progress' and (t.locked_until is null or t.locked_until < now())`;
const SETTLED = `coalesce(t.completed_at < now() - make_interval(secs => ${SETTLED_AFTER_SECONDS}), false)`;

/** The statements about the events of a kind. */
export function eventStatements<Id extends number | string, Status extends string>({
  owners,
  events,
  key,
  keyType,
  prefix,
}: FollowedTables) {
  // the projects are named once more: so it is known where they are
  const INSERT = `insert into ${events} (workspace_id, project_id, ${key}, seq, type, data)
     select t.workspace_id, t.project_id, t.${key}, e.seq, e.type, e.data::json
     from unnest($1::text[], $2::text[], $3::${keyType}[], $4::int[], $5::bigint[], $6::text[], $7::text[])
       as e(workspace_id, project_id, ${key}, attempt, seq, type, data)
     join ${owners} t using (workspace_id, project_id, ${key}, attempt)
     where t.project_id = any ($2::text[])
     on conflict do nothing`;
  const CHANGED = `select place::int - 1 as place, found.stamp
     from unnest($1::text[], $2::text[], $3::${keyType}[], $4::text[]) with ordinality
         as w (workspace_id, project_id, ${key}, stamp, place)
       left join ${owners} t on t.workspace_id = w.workspace_id and t.project_id = w.project_id and t.${key} = w.${key}
         and t.project_id = any ($2::text[]),
       lateral (select case when t.status is null then 'none'
         else concat_ws(':', t.status, t.attempt, ${ABANDONED}, ${SETTLED}, (
           select max(seq) from ${events} e
           where e.workspace_id = w.workspace_id and e.project_id = w.project_id and e.${key} = w.${key}
             and e.project_id = any ($2::text[])
             and seq > (t.attempt - 1)::bigint * ${EVENTS_PER_ATTEMPT})) end as stamp) found
     where found.stamp <> w.stamp`;

  return {
    /**
     * Stores events in one statement. Those of what is gone, or has been taken up again since, are left out; a number that
     * is there already stays as it is.
     */
    async insertEvents(db: Queryable, rows: readonly EventRow<Id>[]): Promise<void> {
      await perProject(
        db,
        rows,
        ({ scope }) => scope,
        async (some) => {
          await db.query(INSERT, [
            some.map((row) => row.scope.workspaceId),
            some.map((row) => row.scope.projectId),
            some.map((row) => row.id),
            some.map((row) => row.attempt),
            some.map((row) => row.seq),
            some.map((row) => row.type),
            some.map((row) => jsonParam(row.data)),
          ]);
          return [];
        },
      );
    },

    /**
     * Which of any number of owners, of any projects, are not as they were known: what `selectEvents` gives of them has changed,
     * or may have. By their places in the list; a stamp is never empty.
     */
    selectChanged: (
      db: Queryable,
      known: readonly KnownOwner<Id>[],
    ): Promise<{ place: number; stamp: string }[]> =>
      perProject(
        db,
        known,
        ({ key: { scope } }) => scope,
        async (some, placeOf) => {
          const { rows } = await db.query<{ place: number; stamp: string }>(CHANGED, [
            some.map(({ key: { scope } }) => scope.workspaceId),
            some.map(({ key: { scope } }) => scope.projectId),
            some.map(({ key: { id } }) => id),
            some.map(({ stamp }) => stamp),
          ]);
          return rows.map(({ place, stamp }) => ({ place: placeOf(place), stamp }));
        },
      ),

    /** The owner and its events in one statement, so that both are of one moment; null when there is no such owner. */
    async selectEvents(
      db: Queryable,
      scope: Scope,
      id: Id,
      { after, limit }: { after: number; limit: number },
    ): Promise<EventPage<Status> | null> {
      const { rows } = await db.query<
        Omit<EventPage<Status>, 'rows' | 'hasMore'> & { type: string; data: unknown; seq: string | null }
      >(
        `select t.status, t.attempt, e.seq, e.type, e.data,
           ${ABANDONED} as abandoned,
           t.status <> 'in_progress' and exists (
             select 1 from ${events}
             where workspace_id = $1 and project_id = $2 and ${key} = $3 and type = '${prefix}.' || t.status
               and seq > (t.attempt - 1)::bigint * ${EVENTS_PER_ATTEMPT}) as closed,
           ${SETTLED} as settled
         from ${owners} t left join lateral (
           select seq, type, data from ${events}
           where workspace_id = $1 and project_id = $2 and ${key} = $3
             and seq > greatest($4::bigint, (t.attempt - 1)::bigint * ${EVENTS_PER_ATTEMPT})
           order by seq limit $5 + 1) e on true
         where t.workspace_id = $1 and t.project_id = $2 and t.${key} = $3
         order by e.seq`,
        [scope.workspaceId, scope.projectId, id, after, limit],
      );
      const [first] = rows;
      if (!first) return null;
      const found = rows.flatMap(({ seq, type, data }) =>
        seq === null ? [] : [{ type, data, seq: Number(seq) }],
      );
      const { status, attempt, abandoned, closed, settled } = first;
      const hasMore = found.length > limit;
      return { status, attempt, abandoned, closed, settled, rows: found.slice(0, limit), hasMore };
    },
  };
}

/** Who works on something: an attempt of an instance. Each later statement about it proves it. */
export interface Lease {
  attempt: number;
  holder: string;
  seconds: number;
}

/**
 * Prolongs those of the leases of which less than a share of their length is left.
 *
 * @returns those that are held no longer: what they are of was ended by another, taken up again, or removed
 */
export async function prolongLeases<L extends Lease & { scope: Scope }>(
  db: Queryable,
  { owners, key, keyType }: FollowedTables,
  { leases, idOf, share }: { leases: readonly L[]; idOf: (lease: L) => number | string; share: number },
): Promise<L[]> {
  const lost = await perProject(
    db,
    leases,
    ({ scope }) => scope,
    async (some, placeOf) => {
      const keys = [
        some.map(({ scope }) => scope.workspaceId),
        some.map(({ scope }) => scope.projectId),
        some.map(idOf),
        some.map(({ attempt }) => attempt),
        some.map(({ holder }) => holder),
      ];
      for (const seconds of new Set(some.map((lease) => lease.seconds))) {
        await db.query(
          `update ${owners} t set locked_until = now() + make_interval(secs => $6::float8)
         from unnest($1::text[], $2::text[], $3::${keyType}[], $4::int[], $5::text[])
           as l(workspace_id, project_id, ${key}, attempt, locked_by)
         where t.workspace_id = l.workspace_id and t.project_id = l.project_id and t.${key} = l.${key}
           and t.project_id = any ($2::text[]) and t.status = 'in_progress' and t.attempt = l.attempt
           and t.locked_by = l.locked_by and t.locked_until < now() + make_interval(secs => $6::float8 * $7::float8)`,
          [
            ...keys.map((column) => column.filter((_, place) => some[place]?.seconds === seconds)),
            seconds,
            share,
          ],
        );
      }
      const { rows } = await db.query<{ place: number }>(
        `select l.place::int - 1 as place
       from unnest($1::text[], $2::text[], $3::${keyType}[], $4::int[], $5::text[])
           with ordinality as l(workspace_id, project_id, ${key}, attempt, locked_by, place)
         left join ${owners} t on t.workspace_id = l.workspace_id and t.project_id = l.project_id and t.${key} = l.${key}
           and t.attempt = l.attempt and t.locked_by = l.locked_by and t.project_id = any ($2::text[])
       where t.status is distinct from 'in_progress'`,
        keys,
      );
      return rows.map(({ place }) => placeOf(place));
    },
  );
  return lost.flatMap((place) => leases[place] ?? []);
}
