import type { PastTurn, Turn } from '../../contract/turn.ts';
import type { TurnOptions } from '../../contract/turn-options.ts';
import type { Usage } from '../../contract/usage.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { bindKeyToTurn } from '../../db/idempotency.ts';
import type { ProjectRecord } from '../../db/projects.ts';
import { insertTurn, type RecordedTurn, type TurnBeginning } from '../../db/turn-begin.ts';
import { endTurnOfOthers } from '../../db/turn-end.ts';
import type { StoredTurn } from '../../db/turn-record.ts';
import { findPosition, type Position, selectWindow } from '../../db/turn-window.ts';
import { findTurn, restartTurn, type TurnLease } from '../../db/turns.ts';
import { AppError, turnNotFound } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { assertRoom, tooManyAtOnce } from '../limits/concurrency.ts';
import { requireProject } from '../projects.ts';
import { INTERRUPTED } from './failures.ts';
import { claimTurnKey, type KeyedTurn, type TurnKey } from './turn-key.ts';

/** What a turn is asked to do. */
export interface TurnRequest extends TurnOptions {
  message: string;
  priming: boolean;
}

/** What a turn starts from: the project as it was then, and the turns before it. */
export interface TurnStart extends TurnRequest {
  turnNumber: number;
  project: ProjectRecord;
  recent: PastTurn[];
}

/** A turn that is recorded as in progress, and ours. */
export interface BegunTurn extends TurnStart {
  lease: TurnLease;
  /** As it is shown by then. */
  recorded: Turn;
  /** What earlier attempts at it have used. */
  spentBefore: Usage | null;
}

/** Where a turn begins, and on whose behalf. */
export interface Beginning {
  db: Database;
  scope: Scope;
  lease: TurnBeginning;
  /** So many of the last turns it starts from. */
  window: number;
  /** The idempotency key of the request. */
  key: TurnKey | null;
}

/**
 * Records a turn, at once or not at all, before any model is called. A turn that was abandoned by its worker is
 * marked as failed; one that is still worked on refuses the new one.
 *
 * @throws AppError `project_not_found`, `turn_in_progress`, `concurrency_limit`, `idempotency_key_reused`
 */
export async function beginTurn(by: Beginning, request: TurnRequest): Promise<BegunTurn | KeyedTurn> {
  const { db, scope, key } = by;
  if (!key) {
    // as a rule one statement will do; whatever is in the way is looked at with the project's row held
    const recorded = await insertRequested(db, by, request);
    if (recorded && recorded !== 'full' && 'stored' in recorded) return begun(by, request, recorded);
  }
  return db.transaction(async (tx) => {
    await requireProject(tx, scope, { lock: 'change' });
    const known = await claimTurnKey(tx, key);
    if (known) return known;
    const made = begun(by, request, await recordTurn(tx, by, request));
    if (key) await bindKeyToTurn(tx, key, scope, made.lease);
    return made;
  });
}

/**
 * Takes up a turn that failed or was abandoned: the same number and message, another attempt.
 *
 * @throws AppError `project_not_found`, `turn_not_found`, `turn_not_retryable`, `turn_in_progress`, `concurrency_limit`,
 *   `idempotency_key_reused`
 */
export function beginRetry(by: Beginning, turnNumber: number): Promise<BegunTurn | KeyedTurn> {
  return by.db.transaction(async (tx) => {
    const project = await requireProject(tx, by.scope, { lock: 'change' });
    const before = await requireTurn(tx, by.scope, turnNumber);
    return (await claimTurnKey(tx, by.key)) ?? restart(tx, by, project, before);
  });
}

/**
 * The same for a turn that the key stands for already; it goes on to the new attempt.
 *
 * @throws AppError `project_not_found`, `turn_not_found`, `turn_not_retryable`, `turn_in_progress`, `concurrency_limit`
 */
export function beginNextAttempt(by: Beginning, turnNumber: number): Promise<BegunTurn> {
  return by.db.transaction(async (tx) => {
    const project = await requireProject(tx, by.scope, { lock: 'change' });
    return restart(tx, by, project, await requireTurn(tx, by.scope, turnNumber));
  });
}

/** @throws AppError `turn_not_found` */
export async function requireTurn(db: Queryable, scope: Scope, turnNumber: number): Promise<StoredTurn> {
  const turn = await findTurn(db, scope, turnNumber);
  if (turn) return turn;
  throw turnNotFound(scope.projectId, turnNumber);
}

const insertRequested = (
  db: Queryable,
  by: Beginning,
  { message, priming, retrieval, min_score, sources, limits, research }: TurnRequest,
) => {
  const options = { retrieval, min_score, sources, limits, research };
  return insertTurn(db, by.scope, { message, priming, options }, by.lease, by.window);
};

/** The turn as recorded, the project's row being held; one that was abandoned gives way. */
async function recordTurn(tx: Queryable, by: Beginning, request: TurnRequest): Promise<RecordedTurn> {
  for (;;) {
    const recorded = await insertRequested(tx, by, request);
    if (recorded === 'full') throw tooManyAtOnce('turns', by.lease.mostAtOnce);
    if (recorded && 'stored' in recorded) return recorded;
    if (recorded) await clearTheWay(tx, by.scope, recorded.running);
  }
}

function begun(by: Beginning, request: TurnRequest, { stored, project, recent }: RecordedTurn): BegunTurn {
  const { turn_number: turnNumber, attempt } = stored.turn;
  const { holder, seconds } = by.lease;
  const lease = { holder, seconds, turnNumber, attempt };
  return { ...request, turnNumber, project, recent, lease, recorded: stored.turn, spentBefore: null };
}

/** The next attempt at a turn, the project's row being held. */
async function restart(
  tx: Queryable,
  { scope, lease: { holder, seconds, mostAtOnce }, window, key }: Beginning,
  project: ProjectRecord,
  { turn: before, abandoned }: StoredTurn,
): Promise<BegunTurn> {
  const { turn_number: turnNumber, status } = before;
  const { running } = await findPosition(tx, scope, 0);
  if (running) await clearTheWay(tx, scope, running);
  if (status !== 'failed' && !abandoned) {
    throw new AppError('turn_not_retryable', {
      detail: `Turn ${turnNumber} is ${status}: only a failed or expired turn can be retried.`,
    });
  }
  await assertRoom(tx, scope.workspaceId, 'turns', mostAtOnce);
  const lease = { turnNumber, attempt: before.attempt + 1, holder, seconds };
  const { turn: recorded, options } = await restartTurn(tx, scope, lease);
  if (key) await bindKeyToTurn(tx, key, scope, lease);
  const recent = await selectWindow(tx, scope, { from: turnNumber - window, before: turnNumber });
  const { message, priming } = recorded;
  return {
    message,
    priming,
    ...options,
    turnNumber,
    project,
    recent,
    lease,
    recorded,
    spentBefore: before.usage,
  };
}

/** A turn ends within this, as a rule. */
const RETRY_SECONDS = 5;

/** Ends the running turn if it was abandoned, or refuses. */
export async function clearTheWay(
  tx: Queryable,
  scope: Scope,
  { turnNumber, abandoned }: NonNullable<Position['running']>,
): Promise<void> {
  const end = { status: 'failed', error: INTERRUPTED, abandonedOnly: true } as const;
  if (abandoned && (await endTurnOfOthers(tx, scope, turnNumber, end))) return;
  throw new AppError('turn_in_progress', {
    detail: `Turn ${turnNumber} of this project is still running. Wait for it, or cancel it.`,
    retryAfterSeconds: RETRY_SECONDS,
    extra: {
      running_turn: `/projects/${encodeURIComponent(scope.projectId)}/turns/${turnNumber}`,
      turn_number: turnNumber,
    },
  });
}
