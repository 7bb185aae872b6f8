import type { Scope } from '../scope.ts';
import { jsonParam, storableText } from '../text.ts';
import type { Queryable } from './database.ts';
import { POSITION, type Position, type WindowTurn } from './turn-window.ts';
import {
  TURN_COLUMNS,
  type TurnLease,
  type TurnRecord,
  type TurnRequestOptions,
  type TurnRow,
  toTurnRecord,
} from './turns.ts';

/**
 * Records the next turn as in progress, its project's row being locked by this transaction, unless one is in progress
 * already. In one statement, because each costs a round trip before the model is asked.
 *
 * @param window how many of the turns before it to give
 * @returns the turn as it was recorded with those before it, or the one that is in progress
 */
export async function insertTurn(
  tx: Queryable,
  scope: Scope,
  turn: { message: string; priming: boolean; options: TurnRequestOptions },
  { holder, seconds }: Pick<TurnLease, 'holder' | 'seconds'>,
  window: number,
): Promise<{ record: TurnRecord; recent: WindowTurn[] } | NonNullable<Position['running']>> {
  const { rows } = await tx.query<Position & TurnRow>(
    `with position as (${POSITION}), begun as (
       insert into turns (workspace_id, project_id, turn_number, status, message, priming, options, locked_by,
         locked_until)
       select $1, $2, next, 'in_progress', $4, $5::boolean, $6::jsonb, $7, now() + make_interval(secs => $8)
       from position where running is null returning ${TURN_COLUMNS})
     select position.running, position.recent, begun.* from position left join begun on true`,
    [
      scope.workspaceId,
      scope.projectId,
      window,
      storableText(turn.message),
      turn.priming,
      jsonParam(turn.options),
      holder,
      seconds,
    ],
  );
  const [row] = rows;
  if (row?.running) return row.running;
  return { record: toTurnRecord(rows), recent: row?.recent ?? [] };
}
