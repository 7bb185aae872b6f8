import type { PastTurn } from '../contract/turn.ts';
import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';

/** Where a conversation stands. */
export interface Position {
  /** The number of its next turn. */
  next: number;
  /** The turn that is in progress. */
  running: { turnNumber: number; abandoned: boolean } | null;
  /** The last turns before the next one, in order. */
  recent: PastTurn[];
}

const OF_PROJECT = 'workspace_id = $1 and project_id = $2';
const WINDOW_COLUMNS = 'turn_number, status, priming, message, response';

/** A `Position` as one row; its third parameter is how many turns `recent` has. */
export const POSITION = `
  select coalesce((select max(turn_number) from turns where ${OF_PROJECT}), 0)::int + 1 as next,
    (select json_build_object('turnNumber', turn_number, 'abandoned', locked_until is null or locked_until < now())
     from turns where ${OF_PROJECT} and status = 'in_progress') as running,
    (select coalesce(json_agg(recent order by turn_number), '[]') from (
       select ${WINDOW_COLUMNS} from turns where ${OF_PROJECT} order by turn_number desc limit $3) recent) as recent`;

/** @param window how many of the last turns to give */
export async function findPosition(db: Queryable, scope: Scope, window: number): Promise<Position> {
  const { rows } = await db.query<Position>(POSITION, [scope.workspaceId, scope.projectId, window]);
  const [position] = rows;
  if (!position) throw new Error('an aggregate gave no row');
  return position;
}

/** The turns from `from` up to and without `before`, in order. */
export async function selectWindow(
  db: Queryable,
  scope: Scope,
  range: { from: number; before: number },
): Promise<PastTurn[]> {
  const { rows } = await db.query<PastTurn>(
    `select ${WINDOW_COLUMNS} from turns
     where ${OF_PROJECT} and turn_number >= $3 and turn_number < $4 order by turn_number`,
    [scope.workspaceId, scope.projectId, range.from, range.before],
  );
  return rows;
}
