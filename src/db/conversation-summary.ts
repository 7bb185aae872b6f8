import type { PastTurn } from '../contract/turn.ts';
import type { Scope } from '../scope.ts';
import { storableText } from '../text/storable.ts';
import type { Queryable } from './database.ts';
import { setState } from './projects.ts';
import { IS_FILLER } from './turn-record.ts';

/** A turn that has left the window; `filler`: its message was a mere acknowledgement. */
export type LeftTurn = PastTurn & { filler: boolean };

/** The summary of a conversation, and what it does not cover yet. */
export interface UnsummarisedTurns {
  /** Empty when there is none yet. */
  summary: string;
  /** The number of the last turn that it covers; 0: it covers none. */
  through: number;
  /** The turns behind that which have left the window, in order. */
  turns: LeftTurn[];
}

const OF_PROJECT = 'workspace_id = $1 and project_id = $2';

// A turn that is in progress stops the row: what it says is not known yet, and its end will come here again.
const LAST_THAT_LEFT = `least(
  (select max(turn_number) from turns where ${OF_PROJECT} and status <> 'in_progress') - $3::int,
  (select min(turn_number) from turns where ${OF_PROJECT} and status = 'in_progress') - 1)`;

/**
 * What the summary of a conversation lacks; null: there is no project.
 *
 * @param window how many of the last turns are in every prompt word for word
 * @param limit turns to give at most, the oldest ones
 */
export async function findUnsummarised(
  db: Queryable,
  scope: Scope,
  { window, limit }: { window: number; limit: number },
): Promise<UnsummarisedTurns | null> {
  const { rows } = await db.query<UnsummarisedTurns>(
    `select p.summarised_through as through,
       case when p.summarised_through = 0 then ''
         else coalesce(p.state->'routing'->>'conversation_summary', '') end as summary,
       (select coalesce(json_agg(behind order by turn_number), '[]') from (
          select turn_number, status, priming, message, response, ${IS_FILLER} as filler from turns
          where ${OF_PROJECT} and turn_number > p.summarised_through and turn_number <= ${LAST_THAT_LEFT}
          order by turn_number limit $4) behind) as turns
     from projects p where ${OF_PROJECT}`,
    [scope.workspaceId, scope.projectId, window, limit],
  );
  return rows[0] ?? null;
}

/**
 * Stores a summary that covers the turns up to `through`, unless another was stored since the one that it was made from:
 * false then, and nothing is changed.
 *
 * @param made.from what the summary that it was made from covers
 */
export async function saveConversationSummary(
  tx: Queryable,
  scope: Scope,
  made: { summary: string; from: number; through: number },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update projects set
       ${setState(`jsonb_set(state, '{routing,conversation_summary}', to_jsonb($3::text))`)}, summarised_through = $5
     where ${OF_PROJECT} and summarised_through = $4`,
    [scope.workspaceId, scope.projectId, storableText(made.summary), made.from, made.through],
  );
  return rowCount > 0;
}

/** Counts turns as covered in which nothing was said that a summary would have; the state stays as it is. */
export async function passOverTurns(
  db: Queryable,
  scope: Scope,
  { from, through }: { from: number; through: number },
): Promise<void> {
  await db.query(
    `update projects set summarised_through = $4 where ${OF_PROJECT} and summarised_through = $3`,
    [scope.workspaceId, scope.projectId, from, through],
  );
}
