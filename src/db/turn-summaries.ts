import type { AppliedLimit } from '../contract/limits.ts';
import type { Usage } from '../contract/usage.ts';
import type { Scope } from '../scope.ts';
import { jsonParam, storableText } from '../text/storable.ts';
import type { Queryable } from './database.ts';
import { toVectorText } from './vector-text.ts';

const OF_TURN = 'workspace_id = $1 and project_id = $2 and turn_number = $3';
const keyOf = (scope: Scope, turnNumber: number) => [scope.workspaceId, scope.projectId, turnNumber];

export interface TurnSummary {
  summary: string;
  source: 'model' | 'extract';
  embedded: boolean;
}

export async function findTurnSummary(
  db: Queryable,
  scope: Scope,
  turnNumber: number,
): Promise<TurnSummary | null> {
  const { rows } = await db.query<TurnSummary>(
    `select summary, source, embedding is not null as embedded from turn_summaries where ${OF_TURN}`,
    keyOf(scope, turnNumber),
  );
  return rows[0] ?? null;
}

export async function insertTurnSummary(
  tx: Queryable,
  scope: Scope,
  turnNumber: number,
  summary: { summary: string; source: 'model' | 'extract' },
): Promise<void> {
  await tx.query(
    `insert into turn_summaries (workspace_id, project_id, turn_number, summary, source) values ($1, $2, $3, $4, $5)
     on conflict (workspace_id, project_id, turn_number)
     do update set summary = excluded.summary, source = excluded.source, embedding = null`,
    [...keyOf(scope, turnNumber), storableText(summary.summary), summary.source],
  );
}

/** Stores the vector of a summary, unless the summary has been replaced since. */
export async function setSummaryEmbedding(
  db: Queryable,
  scope: Scope,
  turnNumber: number,
  summary: string,
  vector: Float32Array,
): Promise<void> {
  await db.query(`update turn_summaries set embedding = $5::vector where ${OF_TURN} and summary = $4`, [
    ...keyOf(scope, turnNumber),
    summary,
    toVectorText(vector),
  ]);
}

/** What is booked on a turn that has ended. */
export interface LockedTurn {
  attempt: number;
  usage: Usage | null;
  limits_applied: AppliedLimit[];
}

/** What a turn has used by now, its row being held; null when it is in progress (again), or gone. */
export async function lockTurnForSummary(
  tx: Queryable,
  scope: Scope,
  turnNumber: number,
): Promise<LockedTurn | null> {
  const { rows } = await tx.query<LockedTurn>(
    `select attempt, usage, limits_applied from turns where ${OF_TURN} and status <> 'in_progress' for update`,
    keyOf(scope, turnNumber),
  );
  return rows[0] ?? null;
}

/** Replaces a turn's usage: its summary's is part of it now. */
export async function setTurnUsage(
  tx: Queryable,
  scope: Scope,
  turnNumber: number,
  usage: Usage | null,
): Promise<void> {
  await tx.query(`update turns set usage = $4 where ${OF_TURN}`, [
    ...keyOf(scope, turnNumber),
    jsonParam(usage),
  ]);
}
