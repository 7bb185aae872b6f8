import type { TurnStatus } from '../contract/turn.ts';
import type { TurnEvent } from '../contract/turn-event.ts';
import type { Scope } from '../scope.ts';
import { jsonParam } from '../text/storable.ts';
import type { Queryable } from './database.ts';

/** Room for the events of one attempt at a turn; the next attempt counts on from there. */
export const EVENTS_PER_ATTEMPT = 1_000_000;

/**
 * An event as it is stored: deltas of one kind that follow each other share a row, whose data are their texts. It is read as it
 * was sent, also if an earlier version sent it, and therefore not checked again.
 */
export type StoredEvent = Exclude<TurnEvent, { type: DeltaType }> | { type: DeltaType; data: string[] };
export type DeltaType = 'answer.delta' | 'reasoning.delta';

/** `seq`: of the row's last event. */
export type EventRow = StoredEvent & { scope: Scope; turnNumber: number; attempt: number; seq: number };

/** How a turn stands, with what was stored of its present attempt after a number. */
export interface EventPage {
  status: TurnStatus;
  attempt: number;
  /** It is in progress, and whoever worked on it has stopped saying so. */
  abandoned: boolean;
  /** Its last event is stored. */
  closed: boolean;
  /** It ended long enough ago for everything of it to be stored. */
  settled: boolean;
  rows: (StoredEvent & { seq: number })[];
  /** There are more rows than were asked for. */
  hasMore: boolean;
}

/** A worker writes a turn's last event right after its row; this is ample for it. */
const SETTLED_AFTER_SECONDS = 2;

/**
 * Stores events in one statement. Those of a turn that is gone, or has been taken up again since, are left out; a
 * number that is there already stays as it is.
 */
export async function insertEvents(db: Queryable, rows: readonly EventRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db.query(
    `insert into turn_events (workspace_id, project_id, turn_number, seq, type, data)
     select workspace_id, project_id, turn_number, e.seq, e.type, e.data::json
     from unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::bigint[], $6::text[], $7::text[])
       as e(workspace_id, project_id, turn_number, attempt, seq, type, data)
     join turns t using (workspace_id, project_id, turn_number, attempt)
     on conflict do nothing`,
    [
      rows.map((row) => row.scope.workspaceId),
      rows.map((row) => row.scope.projectId),
      rows.map((row) => row.turnNumber),
      rows.map((row) => row.attempt),
      rows.map((row) => row.seq),
      rows.map((row) => row.type),
      rows.map((row) => jsonParam(row.data)),
    ],
  );
}

/** The turn and its events in one statement, so that both are of one moment; null when there is no such turn. */
export async function selectEvents(
  db: Queryable,
  scope: Scope,
  turnNumber: number,
  { after, limit }: { after: number; limit: number },
): Promise<EventPage | null> {
  const { rows } = await db.query<
    Omit<EventPage, 'rows' | 'hasMore'> & ((StoredEvent & { seq: string }) | { seq: null })
  >(
    `select t.status, t.attempt, e.seq, e.type, e.data,
       t.status = 'in_progress' and (t.locked_until is null or t.locked_until < now()) as abandoned,
       t.status <> 'in_progress' and exists (
         select 1 from turn_events
         where workspace_id = $1 and project_id = $2 and turn_number = $3 and type = 'turn.' || t.status
           and seq > (t.attempt - 1)::bigint * ${EVENTS_PER_ATTEMPT}) as closed,
       coalesce(t.completed_at < now() - make_interval(secs => ${SETTLED_AFTER_SECONDS}), false) as settled
     from turns t left join lateral (
       select seq, type, data from turn_events
       where workspace_id = $1 and project_id = $2 and turn_number = $3
         and seq > greatest($4::bigint, (t.attempt - 1)::bigint * ${EVENTS_PER_ATTEMPT})
       order by seq limit $5 + 1) e on true
     where t.workspace_id = $1 and t.project_id = $2 and t.turn_number = $3
     order by e.seq`,
    [scope.workspaceId, scope.projectId, turnNumber, after, limit],
  );
  const [first] = rows;
  if (!first) return null;
  const found = rows.flatMap(({ status, attempt, abandoned, closed, settled, ...event }) =>
    event.seq === null ? [] : [{ ...event, seq: Number(event.seq) }],
  );
  const { status, attempt, abandoned, closed, settled } = first;
  const hasMore = found.length > limit;
  return { status, attempt, abandoned, closed, settled, rows: found.slice(0, limit), hasMore };
}
