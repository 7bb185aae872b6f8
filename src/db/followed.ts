import type { Scope } from '../scope.ts';
import { jsonParam } from '../text/storable.ts';
import type { Queryable } from './database.ts';

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
  return {
    /**
     * Stores events in one statement. Those of what is gone, or has been taken up again since, are left out; a number that
     * is there already stays as it is.
     */
    async insertEvents(db: Queryable, rows: readonly EventRow<Id>[]): Promise<void> {
      if (rows.length === 0) return;
      await db.query(
        `insert into ${events} (workspace_id, project_id, ${key}, seq, type, data)
         select workspace_id, project_id, ${key}, e.seq, e.type, e.data::json
         from unnest($1::text[], $2::text[], $3::${keyType}[], $4::int[], $5::bigint[], $6::text[], $7::text[])
           as e(workspace_id, project_id, ${key}, attempt, seq, type, data)
         join ${owners} t using (workspace_id, project_id, ${key}, attempt)
         on conflict do nothing`,
        [
          rows.map((row) => row.scope.workspaceId),
          rows.map((row) => row.scope.projectId),
          rows.map((row) => row.id),
          rows.map((row) => row.attempt),
          rows.map((row) => row.seq),
          rows.map((row) => row.type),
          rows.map((row) => jsonParam(row.data)),
        ],
      );
    },

    /**
     * Which of any number of owners, of any projects, are not as they were known: what `selectEvents` gives of them has changed,
     * or may have. By their places in the list; a stamp is never empty.
     */
    async selectChanged(
      db: Queryable,
      known: readonly KnownOwner<Id>[],
    ): Promise<{ place: number; stamp: string }[]> {
      const { rows } = await db.query<{ place: number; stamp: string }>(
        `select place::int - 1 as place, found.stamp
         from unnest($1::text[], $2::text[], $3::${keyType}[], $4::text[]) with ordinality
             as w (workspace_id, project_id, ${key}, stamp, place)
           left join ${owners} t using (workspace_id, project_id, ${key}),
           lateral (select case when t.status is null then 'none'
             else concat_ws(':', t.status, t.attempt, ${ABANDONED}, ${SETTLED}, (
               select max(seq) from ${events} e
               where e.workspace_id = w.workspace_id and e.project_id = w.project_id and e.${key} = w.${key}
                 and seq > (t.attempt - 1)::bigint * ${EVENTS_PER_ATTEMPT})) end as stamp) found
         where found.stamp <> w.stamp`,
        [
          known.map(({ key: { scope } }) => scope.workspaceId),
          known.map(({ key: { scope } }) => scope.projectId),
          known.map(({ key: { id } }) => id),
          known.map(({ stamp }) => stamp),
        ],
      );
      return rows;
    },

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
  const { rows } = await db.query<{ position: number }>(
    `with l as (
       select * from unnest($1::text[], $2::text[], $3::${keyType}[], $4::int[], $5::text[], $6::float8[])
         with ordinality as l(workspace_id, project_id, ${key}, attempt, locked_by, seconds, position)
     ), prolonged as (
       update ${owners} t set locked_until = now() + make_interval(secs => l.seconds) from l
       where t.workspace_id = l.workspace_id and t.project_id = l.project_id and t.${key} = l.${key}
         and t.status = 'in_progress' and t.attempt = l.attempt and t.locked_by = l.locked_by
         and t.locked_until < now() + make_interval(secs => l.seconds * $7::float8)
     )
     select l.position::int from l left join ${owners} t using (workspace_id, project_id, ${key}, attempt, locked_by)
     where t.status is distinct from 'in_progress'`,
    [
      leases.map(({ scope }) => scope.workspaceId),
      leases.map(({ scope }) => scope.projectId),
      leases.map(idOf),
      leases.map(({ attempt }) => attempt),
      leases.map(({ holder }) => holder),
      leases.map(({ seconds }) => seconds),
      share,
    ],
  );
  return rows.flatMap(({ position }) => leases[position - 1] ?? []);
}
