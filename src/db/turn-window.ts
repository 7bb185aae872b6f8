import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';
import type { TurnRecord } from './turns.ts';

type WindowRow = Pick<TurnRecord, 'status' | 'priming' | 'message' | 'response'> & { turn_number: number };

/** What prompts need of the turns from `from` up to and without `before`, in order. */
export async function selectWindow(
  db: Queryable,
  scope: Scope,
  range: { from: number; before: number },
): Promise<Pick<TurnRecord, 'turnNumber' | 'status' | 'priming' | 'message' | 'response'>[]> {
  const { rows } = await db.query<WindowRow>(
    `select turn_number, status, priming, message, response from turns
     where workspace_id = $1 and project_id = $2 and turn_number >= $3 and turn_number < $4 order by turn_number`,
    [scope.workspaceId, scope.projectId, range.from, range.before],
  );
  return rows.map(({ turn_number, status, priming, message, response }) => ({
    turnNumber: turn_number,
    status,
    priming,
    message,
    response,
  }));
}
