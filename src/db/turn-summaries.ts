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

/** The summaries of the newest turns that have one, oldest first. */
export async function selectSummaries(
  db: Queryable,
  scope: Scope,
  limit: number,
): Promise<{ turnNumber: number; summary: string }[]> {
  const { rows } = await db.query<{ turn_number: number; summary: string }>(
    `select turn_number, summary from turn_summaries
     where workspace_id = $1 and project_id = $2 order by turn_number desc limit $3`,
    [scope.workspaceId, scope.projectId, limit],
  );
  return rows.map((row) => ({ turnNumber: row.turn_number, summary: row.summary })).reverse();
}

/** What the summary's job has to know of the turn, whose row it holds; null when there is none (any more). */
export async function lockTurnForSummary(
  tx: Queryable,
  scope: Scope,
  turnNumber: number,
): Promise<{ attempt: number; usage: Usage | null } | null> {
  const { rows } = await tx.query<{ attempt: number; usage: Usage | null }>(
    `select attempt, usage from turns where ${OF_TURN} and status <> 'in_progress' for update`,
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
