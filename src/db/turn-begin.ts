import type { PastTurn } from '../contract/turn.ts';
import type { TurnOptions } from '../contract/turn-options.ts';
import type { Scope } from '../scope.ts';
import { jsonParam, storableText } from '../text/storable.ts';
import type { Queryable } from './database.ts';
import { PROJECT_FOR_CHANGE, type ProjectRecord, type ProjectRow, toProjectRecord } from './projects.ts';
import { hasRoom } from './running.ts';
import { type StoredTurn, type TurnRow, toStoredTurn, WRITTEN_TURN_COLUMNS } from './turn-record.ts';
import { POSITION, type Position } from './turn-window.ts';
import type { TurnLease } from './turns.ts';

/** A turn that was recorded, what its project was then, and the turns before it. */
export interface RecordedTurn {
  stored: StoredTurn;
  recent: PastTurn[];
  project: ProjectRecord;
}

/** Of the project's row, what JSON has another type for. */
type ProjectJson = Omit<ProjectRow, 'seq' | 'created_at' | 'updated_at'> & {
  seq: number;
  created_at: string;
  updated_at: string;
};

/** What begins a turn: who works on it, and how many turns of the workspace may be in progress with it; 0: any number. */
export interface TurnBeginning extends Pick<TurnLease, 'holder' | 'seconds'> {
  mostAtOnce: number;
}

/**
 * Records the next turn as in progress, unless one is already, or as many of the workspace as may be: in one statement, since
 * each is a round trip before the model is asked. It holds the project's row, but knows of turns what was so when it began:
 * only who held the row before is told for certain what is in the way.
 *
 * @param window how many of the turns before it to give
 * @returns the turn as it was recorded with what it starts from; the one that is in progress; `full`: others of the
 *   workspace are; null: there is no project, or somebody else was faster
 */
export async function insertTurn(
  db: Queryable,
  scope: Scope,
  turn: { message: string; priming: boolean; options: TurnOptions },
  { holder, seconds, mostAtOnce }: TurnBeginning,
  window: number,
): Promise<RecordedTurn | { running: NonNullable<Position['running']> } | 'full' | null> {
  const { rows } = await db.query<
    Position & { project: ProjectJson; has_room: boolean | null } & (TurnRow | { turn_number: null })
  >(
    `with project as (${PROJECT_FOR_CHANGE}), position as (${POSITION}), room as materialized (
       -- the project's row is held by then
       select ${hasRoom('turns', '$9')} as has_room from project, position where running is null), begun as (
       insert into turns (workspace_id, project_id, turn_number, status, message, priming, options, locked_by,
         locked_until)
       select $1, $2, next, 'in_progress', $4, $5::boolean, $6::jsonb, $7, now() + make_interval(secs => $8)
       from project, position, room where has_room on conflict do nothing returning ${WRITTEN_TURN_COLUMNS})
     select to_jsonb(project) as project, position.running, position.recent, room.has_room, begun.*
     from project cross join position left join room on true left join begun on true`,
    [
      scope.workspaceId,
      scope.projectId,
      window,
      storableText(turn.message),
      turn.priming,
      jsonParam(turn.options),
      holder,
      seconds,
      mostAtOnce,
    ],
  );
  const [found] = rows;
  if (!found) return null;
  const { project, running, recent, has_room: hasRoomForIt, ...row } = found;
  if (running) return { running };
  if (hasRoomForIt === false) return 'full';
  if (row.turn_number === null) return null;
  const { seq, created_at, updated_at, ...rest } = project;
  const dated = { created_at: new Date(created_at), updated_at: new Date(updated_at) };
  return {
    stored: toStoredTurn(row),
    recent,
    project: toProjectRecord({ ...rest, ...dated, seq: String(seq) }),
  };
}
