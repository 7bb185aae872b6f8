import type { AppliedLimit } from '../contract/limits.ts';
import type { ProjectState } from '../contract/state.ts';
import type { TurnFailure } from '../contract/turn.ts';
import type { Scope } from '../scope.ts';
import { jsonParam, storableText } from '../text/storable.ts';
import type { Queryable } from './database.ts';
import { EVENTS_PER_ATTEMPT } from './followed.ts';
import { setState } from './projects.ts';
import {
  endParams,
  type StoredTurn,
  setEnd,
  type TurnEnd,
  type TurnRow,
  toStoredTurn,
  WRITTEN_TURN_COLUMNS,
} from './turn-record.ts';
import { HELD, heldBy, type TurnLease } from './turns.ts';

const OF_PROJECT = 'workspace_id = $1 and project_id = $2';

/**
 * Ends a turn that is ours, with the state that it leaves, and gives it as it ended; null when it no longer is ours:
 * nothing is changed then.
 *
 * @param state of the project, whose row is locked by this transaction; null: as it is
 */
export async function finishTurn(
  tx: Queryable,
  scope: Scope,
  lease: TurnLease,
  end: TurnEnd,
  state: ProjectState | null,
): Promise<StoredTurn | null> {
  const key = heldBy(scope, lease);
  const { rows } =
    state === null
      ? await tx.query<TurnRow>(FINISH, [...key, ...endParams(end)])
      : await tx.query<TurnRow>(FINISH_WITH_STATE, [...key, jsonParam(state), ...endParams(end)]);
  return rows[0] ? toStoredTurn(rows[0]) : null;
}

const finishSql = (first: number): string =>
  `update turns set ${setEnd(first)}, completed_at = now(), locked_by = null, locked_until = null
    where ${HELD} returning ${WRITTEN_TURN_COLUMNS}`;

const FINISH = finishSql(6);
const FINISH_WITH_STATE = `with ended as (${finishSql(7)}), left_behind as (
    update projects set ${setState('$6::jsonb')} where ${OF_PROJECT} and exists (select from ended)
  )
  select * from ended`;

const nullable = (value: unknown): string | null => (value === null ? null : jsonParam(value));

/** What a turn's present attempt had said by its stored events, since it last began anew; null when that is nothing. */
const SAID = `select string_agg(piece, '' order by e.seq, place)
  from turn_events e, json_array_elements_text(e.data) with ordinality as pieces(piece, place)
  where e.workspace_id = $1 and e.project_id = $2 and e.turn_number = $3 and e.type = 'answer.delta'
    and e.seq > (turns.attempt - 1)::bigint * ${EVENTS_PER_ATTEMPT}
    and not exists (select from turn_events r
      where r.workspace_id = $1 and r.project_id = $2 and r.turn_number = $3 and r.type = 'answer.reset'
        and r.seq > e.seq)`;

/**
 * Ends, without being its holder, a turn that is in progress; `abandonedOnly`: only one whose lease has run out. One that
 * is cancelled keeps what it had said, as far as its events are stored.
 */
export async function endTurnOfOthers(
  db: Queryable,
  scope: Scope,
  turnNumber: number,
  end: { status: 'failed' | 'cancelled'; error: TurnFailure | null; abandonedOnly: boolean },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update turns set status = $4, error = $5, completed_at = now(), locked_by = null, locked_until = null,
       response = case when $4 = 'cancelled' then (${SAID}) end
     where ${OF_PROJECT} and turn_number = $3 and status = 'in_progress'
       and (not $6 or locked_until is null or locked_until < now())`,
    [scope.workspaceId, scope.projectId, turnNumber, end.status, nullable(end.error), end.abandonedOnly],
  );
  return rowCount > 0;
}

/** Keeps what a turn had said when it was cancelled from elsewhere: the canceller knew as much as was stored by then. */
export async function keepPartialResponse(
  db: Queryable,
  scope: Scope,
  lease: TurnLease,
  response: string,
): Promise<void> {
  await db.query(
    `update turns set response = $5 where ${OF_PROJECT} and turn_number = $3 and attempt = $4
       and status = 'cancelled' and length(coalesce(response, '')) < length($5)`,
    [scope.workspaceId, scope.projectId, lease.turnNumber, lease.attempt, storableText(response)],
  );
}

/** Adds what a limit changed after the turn had ended, to its row and its receipt. */
export async function addAppliedLimit(
  tx: Queryable,
  scope: Scope,
  turnNumber: number,
  limit: AppliedLimit,
): Promise<void> {
  await tx.query(
    `update turns set limits_applied = limits_applied || $4::jsonb,
       receipt = jsonb_set(receipt, '{limits_applied}', limits_applied || $4::jsonb)
     where ${OF_PROJECT} and turn_number = $3`,
    [scope.workspaceId, scope.projectId, turnNumber, jsonParam([limit])],
  );
}
