import type { Scope } from '../scope.ts';
import { jsonParam, storableText } from '../text.ts';
import type { Queryable } from './database.ts';
import type { Citation, Receipt, ReceiptDigest, RoutingView, Timings, UsageView } from './turn-record.ts';

export type TurnStatus = 'in_progress' | 'completed' | 'failed' | 'cancelled';

/** Why a turn failed, in words for its user. */
export interface TurnFailure {
  code: string;
  detail: string;
  retryable: boolean;
}

/** How a turn was asked for. */
export interface TurnRequestOptions {
  retrieval: 'auto' | 'always' | 'never';
}

/** A turn's row; `context` is what the row shows of its receipt. */
export interface TurnRecord {
  turnNumber: number;
  status: TurnStatus;
  message: string;
  priming: boolean;
  options: TurnRequestOptions;
  response: string | null;
  probe: string | null;
  routing: RoutingView | null;
  citations: Citation[];
  stateChanges: Record<string, unknown>[];
  context: ReceiptDigest | null;
  usage: UsageView | null;
  timings: Timings | null;
  model: string | null;
  error: TurnFailure | null;
  attempt: number;
  /** It is in progress, and whoever worked on it has stopped saying so. */
  abandoned: boolean;
  createdAt: Date;
  completedAt: Date | null;
}

interface TurnRow {
  turn_number: number;
  status: TurnStatus;
  message: string;
  priming: boolean;
  options: Partial<TurnRequestOptions>;
  response: string | null;
  probe: string | null;
  routing: RoutingView | null;
  citations: Citation[];
  state_changes: Record<string, unknown>[];
  context: TurnRecord['context'];
  usage: UsageView | null;
  timings_ms: Timings | null;
  model: string | null;
  error: TurnFailure | null;
  attempt: number;
  abandoned: boolean;
  created_at: Date;
  completed_at: Date | null;
}

// The receipt holds the whole prompt: a list of turns must not carry it.
const SELECT = `select turn_number, status, message, priming, options, response, probe, routing, citations,
    state_changes, usage, timings_ms, model, error, attempt, created_at, completed_at,
    status = 'in_progress' and (locked_until is null or locked_until < now()) as abandoned,
    case when receipt is not null then jsonb_build_object('tokens', receipt->'tokens', 'budget', receipt->'budget',
      'sections', (select coalesce(jsonb_agg(jsonb_build_object('name', s->'name', 'tokens', s->'tokens') order by i), '[]')
                   from jsonb_array_elements(receipt->'sections') with ordinality as parts(s, i)),
      'dropped', receipt->'dropped') end as context
  from turns`;
const OF_PROJECT = 'workspace_id = $1 and project_id = $2';

const toRecord = (row: TurnRow): TurnRecord => ({
  turnNumber: row.turn_number,
  status: row.status,
  message: row.message,
  priming: row.priming,
  options: { retrieval: row.options.retrieval ?? 'auto' },
  response: row.response,
  probe: row.probe,
  routing: row.routing,
  citations: row.citations,
  stateChanges: row.state_changes,
  context: row.context,
  usage: row.usage,
  timings: row.timings_ms,
  model: row.model,
  error: row.error,
  attempt: row.attempt,
  abandoned: row.abandoned,
  createdAt: row.created_at,
  completedAt: row.completed_at,
});

export async function findTurn(db: Queryable, scope: Scope, turnNumber: number): Promise<TurnRecord | null> {
  const { rows } = await db.query<TurnRow>(`${SELECT} where ${OF_PROJECT} and turn_number = $3`, [
    scope.workspaceId,
    scope.projectId,
    turnNumber,
  ]);
  return rows[0] ? toRecord(rows[0]) : null;
}

/** The project's turn that is in progress, if there is one. */
export async function findRunningTurn(db: Queryable, scope: Scope): Promise<TurnRecord | null> {
  const { rows } = await db.query<TurnRow>(`${SELECT} where ${OF_PROJECT} and status = 'in_progress'`, [
    scope.workspaceId,
    scope.projectId,
  ]);
  return rows[0] ? toRecord(rows[0]) : null;
}

/** Turns in order of their number; `after` and `before` are exclusive bounds on it. */
export async function selectTurns(
  db: Queryable,
  scope: Scope,
  page: { after: string | null; before: string | null; limit: number; descending: boolean },
): Promise<TurnRecord[]> {
  const { rows } = await db.query<TurnRow>(
    `${SELECT} where ${OF_PROJECT} and ($3::bigint is null or turn_number > $3)
       and ($4::bigint is null or turn_number < $4)
     order by turn_number ${page.descending ? 'desc' : 'asc'} limit $5`,
    [scope.workspaceId, scope.projectId, page.after, page.before, page.limit],
  );
  return rows.map(toRecord);
}

export async function findReceipt(db: Queryable, scope: Scope, turnNumber: number): Promise<Receipt | null> {
  const { rows } = await db.query<{ receipt: Receipt | null }>(
    `select receipt from turns where ${OF_PROJECT} and turn_number = $3`,
    [scope.workspaceId, scope.projectId, turnNumber],
  );
  return rows[0]?.receipt ?? null;
}

/** The number that the project's next turn has. */
export async function nextTurnNumber(db: Queryable, scope: Scope): Promise<number> {
  const { rows } = await db.query<{ next: number }>(
    `select coalesce(max(turn_number), 0)::int + 1 as next from turns where ${OF_PROJECT}`,
    [scope.workspaceId, scope.projectId],
  );
  return rows[0]?.next ?? 1;
}

/** Who works on a turn: an attempt of an instance. Each later statement about the turn proves it. */
export interface TurnLease {
  turnNumber: number;
  attempt: number;
  holder: string;
  seconds: number;
}

/** Records a turn as in progress, its project's row being locked by this transaction. */
export async function insertTurn(
  tx: Queryable,
  scope: Scope,
  turn: { message: string; priming: boolean; options: TurnRequestOptions },
  lease: TurnLease,
): Promise<void> {
  await tx.query(
    `insert into turns (workspace_id, project_id, turn_number, status, message, priming, options, attempt, locked_by,
       locked_until)
     values ($1, $2, $3, 'in_progress', $4, $5, $6, $7, $8, now() + make_interval(secs => $9))`,
    [
      scope.workspaceId,
      scope.projectId,
      lease.turnNumber,
      storableText(turn.message),
      turn.priming,
      jsonParam(turn.options),
      lease.attempt,
      lease.holder,
      lease.seconds,
    ],
  );
}

/** Puts a failed turn back in progress, with nothing of its last attempt left. */
export async function restartTurn(tx: Queryable, scope: Scope, lease: TurnLease): Promise<void> {
  const key = [scope.workspaceId, scope.projectId, lease.turnNumber];
  await tx.query(
    `update turns set status = 'in_progress', response = null, probe = null, routing = null, citations = '[]',
       state_changes = '[]', receipt = null, timings_ms = null, model = null, error = null, completed_at = null,
       lexical_length = null, attempt = $4, locked_by = $5, locked_until = now() + make_interval(secs => $6)
     where ${OF_PROJECT} and turn_number = $3`,
    [...key, lease.attempt, lease.holder, lease.seconds],
  );
  for (const table of ['turn_summaries', 'turn_postings', 'turn_events']) {
    await tx.query(`delete from ${table} where ${OF_PROJECT} and turn_number = $3`, key);
  }
}

const HELD = `${OF_PROJECT} and turn_number = $3 and status = 'in_progress' and attempt = $4 and locked_by = $5`;
const heldBy = (scope: Scope, lease: TurnLease) => [
  scope.workspaceId,
  scope.projectId,
  lease.turnNumber,
  lease.attempt,
  lease.holder,
];

/** Prolongs the lease; false when the turn is no longer ours (it was cancelled, or taken for lost). */
export async function extendTurnLease(db: Queryable, scope: Scope, lease: TurnLease): Promise<boolean> {
  const { rowCount } = await db.query(
    `update turns set locked_until = now() + make_interval(secs => $6) where ${HELD}`,
    [...heldBy(scope, lease), lease.seconds],
  );
  return rowCount > 0;
}

/** How a turn ended, with what it leaves. */
export interface TurnEnd {
  status: Exclude<TurnStatus, 'in_progress'>;
  response: string | null;
  probe: string | null;
  routing: RoutingView | null;
  citations: Citation[];
  stateChanges: Record<string, unknown>[];
  receipt: Receipt | null;
  usage: UsageView;
  timings: Timings;
  model: string | null;
  error: TurnFailure | null;
}

/** Ends a turn that is ours; false when it no longer is. */
export async function finishTurn(
  tx: Queryable,
  scope: Scope,
  lease: TurnLease,
  end: TurnEnd,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update turns set status = $6, response = $7, probe = $8, routing = $9, citations = $10, state_changes = $11,
       receipt = $12, usage = $13, timings_ms = $14, model = $15, error = $16, completed_at = now(),
       locked_by = null, locked_until = null
     where ${HELD}`,
    [
      ...heldBy(scope, lease),
      end.status,
      end.response === null ? null : storableText(end.response),
      end.probe,
      nullable(end.routing),
      jsonParam(end.citations),
      jsonParam(end.stateChanges),
      nullable(end.receipt),
      jsonParam(end.usage),
      jsonParam(end.timings),
      end.model,
      nullable(end.error),
    ],
  );
  return rowCount > 0;
}

const nullable = (value: unknown): string | null => (value === null ? null : jsonParam(value));

/** Ends, without being its holder, a turn that is in progress; `abandonedOnly`: only one whose lease has run out. */
export async function endTurnOfOthers(
  db: Queryable,
  scope: Scope,
  turnNumber: number,
  end: { status: 'failed' | 'cancelled'; error: TurnFailure | null; abandonedOnly: boolean },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update turns set status = $4, error = $5, completed_at = now(), locked_by = null, locked_until = null
     where ${OF_PROJECT} and turn_number = $3 and status = 'in_progress'
       and (not $6 or locked_until is null or locked_until < now())`,
    [scope.workspaceId, scope.projectId, turnNumber, end.status, nullable(end.error), end.abandonedOnly],
  );
  return rowCount > 0;
}

/** Keeps what a turn had said when it was cancelled from elsewhere. */
export async function keepPartialResponse(
  db: Queryable,
  scope: Scope,
  lease: TurnLease,
  response: string,
): Promise<void> {
  await db.query(
    `update turns set response = $5 where ${OF_PROJECT} and turn_number = $3 and attempt = $4
       and status = 'cancelled' and response is null`,
    [scope.workspaceId, scope.projectId, lease.turnNumber, lease.attempt, storableText(response)],
  );
}
