import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';
import type {
  AnswerStop,
  AppliedLimit,
  Citation,
  Receipt,
  ReceiptDigest,
  RoutingView,
  Timings,
  TurnLimits,
  UsageView,
  UsedStale,
} from './turn-record.ts';

export type TurnStatus = 'in_progress' | 'completed' | 'failed' | 'cancelled';

/** Why a turn failed, in words for its user. */
export interface TurnFailure {
  code: string;
  detail: string;
  retryable: boolean;
  /** As the provider asked. */
  retry_after_s?: number;
}

/** How a turn was asked for. */
export interface TurnRequestOptions {
  retrieval: 'auto' | 'always' | 'never';
  limits?: TurnLimits | undefined;
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
  usedStale: UsedStale[];
  limitsApplied: AppliedLimit[];
  usage: UsageView | null;
  timings: Timings | null;
  model: string | null;
  /** How the reply ended; null when there is no whole one. */
  stopReason: AnswerStop | null;
  error: TurnFailure | null;
  attempt: number;
  /** It is in progress, and whoever worked on it has stopped saying so. */
  abandoned: boolean;
  createdAt: Date;
  completedAt: Date | null;
}

export interface TurnRow {
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
  /** `stop_reason` is stored with it: a turn's view has both, and neither needs the receipt to be read. */
  context: (ReceiptDigest & { stop_reason?: AnswerStop | null }) | null;
  used_stale: UsedStale[];
  limits_applied: AppliedLimit[];
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
/** What a statement gives of a turn, for `toTurnRecord`. */
export const TURN_COLUMNS = `turn_number, status, message, priming, options, response, probe, routing, citations,
    state_changes, context, used_stale, limits_applied, usage, timings_ms, model, error, attempt, created_at,
    completed_at, status = 'in_progress' and (locked_until is null or locked_until < now()) as abandoned`;
const SELECT = `select ${TURN_COLUMNS} from turns`;
const OF_PROJECT = 'workspace_id = $1 and project_id = $2';

function toRecord(row: TurnRow): TurnRecord {
  const { stop_reason: stopReason = null, ...context } = row.context ?? {};
  return {
    turnNumber: row.turn_number,
    status: row.status,
    message: row.message,
    priming: row.priming,
    options: { retrieval: row.options.retrieval ?? 'auto', limits: row.options.limits },
    response: row.response,
    probe: row.probe,
    routing: row.routing,
    citations: row.citations,
    stateChanges: row.state_changes,
    context: row.context && (context as ReceiptDigest),
    usedStale: row.used_stale,
    limitsApplied: row.limits_applied,
    usage: row.usage,
    timings: row.timings_ms,
    model: row.model,
    stopReason,
    error: row.error,
    attempt: row.attempt,
    abandoned: row.abandoned,
    createdAt: row.created_at,
    completedAt: row.completed_at,
  };
}

/** The turn that a statement about one turn gave back. */
export function toTurnRecord([row]: readonly TurnRow[]): TurnRecord {
  if (!row) throw new Error('a turn gave no row');
  return toRecord(row);
}

export async function findTurn(db: Queryable, scope: Scope, turnNumber: number): Promise<TurnRecord | null> {
  const { rows } = await db.query<TurnRow>(`${SELECT} where ${OF_PROJECT} and turn_number = $3`, [
    scope.workspaceId,
    scope.projectId,
    turnNumber,
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

// what receipts have not always had: they are kept for ever
const LATER_MEMBERS = { speculation: null, stop_reason: null };

export async function findReceipt(db: Queryable, scope: Scope, turnNumber: number): Promise<Receipt | null> {
  const { rows } = await db.query<{ receipt: Receipt | null }>(
    `select receipt from turns where ${OF_PROJECT} and turn_number = $3`,
    [scope.workspaceId, scope.projectId, turnNumber],
  );
  const receipt = rows[0]?.receipt ?? null;
  return receipt && { ...LATER_MEMBERS, ...receipt };
}

/** Who works on a turn: an attempt of an instance. Each later statement about the turn proves it. */
export interface TurnLease {
  turnNumber: number;
  attempt: number;
  holder: string;
  seconds: number;
}

/** Puts a failed turn back in progress, with nothing of its last attempt left; gives it as it is then. */
export async function restartTurn(tx: Queryable, scope: Scope, lease: TurnLease): Promise<TurnRecord> {
  const key = [scope.workspaceId, scope.projectId, lease.turnNumber];
  const { rows } = await tx.query<TurnRow>(
    `update turns set status = 'in_progress', response = null, probe = null, routing = null, citations = '[]',
       state_changes = '[]', receipt = null, context = null, used_stale = '[]', limits_applied = '[]',
       timings_ms = null, model = null, error = null, completed_at = null, lexical_length = null, attempt = $4,
       locked_by = $5, locked_until = now() + make_interval(secs => $6)
     where ${OF_PROJECT} and turn_number = $3 returning ${TURN_COLUMNS}`,
    [...key, lease.attempt, lease.holder, lease.seconds],
  );
  for (const table of ['turn_summaries', 'turn_postings', 'turn_events']) {
    await tx.query(`delete from ${table} where ${OF_PROJECT} and turn_number = $3`, key);
  }
  return toTurnRecord(rows);
}

/** The condition that a turn is still the lease's, in a statement whose first parameters are `heldBy`. */
export const HELD = `${OF_PROJECT} and turn_number = $3 and status = 'in_progress' and attempt = $4 and locked_by = $5`;
export const heldBy = (scope: Scope, lease: TurnLease) => [
  scope.workspaceId,
  scope.projectId,
  lease.turnNumber,
  lease.attempt,
  lease.holder,
];

/** Of some leases, those that hold their turn no longer: it was ended by another, taken up again, or removed. */
export async function selectLostLeases<L extends TurnLease & { scope: Scope }>(
  db: Queryable,
  leases: readonly L[],
): Promise<L[]> {
  const { rows } = await db.query<{ position: number }>(
    `select l.position::int from unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::text[])
       with ordinality as l(workspace_id, project_id, turn_number, attempt, locked_by, position)
     left join turns t using (workspace_id, project_id, turn_number, attempt, locked_by)
     where t.status is distinct from 'in_progress'`,
    [
      leases.map(({ scope }) => scope.workspaceId),
      leases.map(({ scope }) => scope.projectId),
      leases.map(({ turnNumber }) => turnNumber),
      leases.map(({ attempt }) => attempt),
      leases.map(({ holder }) => holder),
    ],
  );
  return rows.flatMap(({ position }) => leases[position - 1] ?? []);
}

/** Prolongs the lease; false when the turn is no longer ours (it was cancelled, or taken for lost). */
export async function extendTurnLease(db: Queryable, scope: Scope, lease: TurnLease): Promise<boolean> {
  const { rowCount } = await db.query(
    `update turns set locked_until = now() + make_interval(secs => $6) where ${HELD}`,
    [...heldBy(scope, lease), lease.seconds],
  );
  return rowCount > 0;
}
