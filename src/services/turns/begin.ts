import type { PastTurn, Turn } from '../../contract/turn.ts';
import type { TurnOptions } from '../../contract/turn-options.ts';
import type { Usage } from '../../contract/usage.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { bindKeyToTurn } from '../../db/idempotency.ts';
import type { ProjectRecord } from '../../db/projects.ts';
import { insertTurn, type RecordedTurn } from '../../db/turn-begin.ts';
import { endTurnOfOthers } from '../../db/turn-end.ts';
import type { StoredTurn } from '../../db/turn-record.ts';
import { findPosition, type Position, selectWindow } from '../../db/turn-window.ts';
import { findTurn, restartTurn, type TurnLease } from '../../db/turns.ts';
import { AppError, turnNotFound } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { requireProject } from '../projects.ts';
import { INTERRUPTED } from './failures.ts';
import { claimTurnKey, type TurnKey } from './turn-key.ts';

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
  /** As it was recorded. */
  turn: Turn;
  /** What earlier attempts at it have used. */
  spentBefore: Usage | null;
}

export interface Holder {
  holder: string;
  seconds: number;
}

/** The turn that the request's idempotency key stands for already: nothing was begun. */
export interface KnownTurn {
  known: number;
}

/**
 * Records a turn, at once or not at all, before any model is called. A turn that was abandoned by its worker is
 * marked as failed; one that is still worked on refuses the new one.
 *
 * @throws AppError `project_not_found`, `turn_in_progress`, `idempotency_key_reused`
 */
export async function beginTurn(
  db: Database,
  scope: Scope,
  request: TurnRequest,
  { holder, seconds }: Holder,
  window: number,
  key?: TurnKey,
): Promise<BegunTurn | KnownTurn> {
  const begun = (recorded: RecordedTurn): BegunTurn => {
    const { turn } = recorded.stored;
    const lease = { turnNumber: turn.turn_number, attempt: turn.attempt, holder, seconds };
    const { project, recent } = recorded;
    return { ...request, turnNumber: turn.turn_number, project, recent, lease, turn, spentBefore: null };
  };
  const asked = turnOf(request);
  if (!key) {
    // as a rule one statement will do; whatever is in the way is looked at with the project's row held
    const recorded = await insertTurn(db, scope, asked, { holder, seconds }, window);
    if (recorded && 'stored' in recorded) return begun(recorded);
  }
  return db.transaction(async (tx) => {
    await requireProject(tx, scope, { lock: 'change' });
    const known = key ? await claimTurnKey(tx, key) : null;
    if (known !== null) return { known };
    const made = begun(await recordTurn(tx, scope, asked, { holder, seconds }, window));
    if (key) await bindKeyToTurn(tx, key, scope, made.lease);
    return made;
  });
}

const turnOf = ({ message, priming, retrieval, limits }: TurnRequest) => ({
  message,
  priming,
  options: { retrieval, limits },
});

/**
 * Takes up a turn that failed or was abandoned: the same number and message, another attempt.
 *
 * @param key claimed for the new attempt; `held`: it stands for this turn already, and goes on to the new attempt
 * @throws AppError `project_not_found`, `turn_not_found`, `turn_not_retryable`, `turn_in_progress`,
 *   `idempotency_key_reused`
 */
export async function beginRetry(
  db: Database,
  scope: Scope,
  turnNumber: number,
  { holder, seconds }: Holder,
  window: number,
  key?: TurnKey & { held: boolean },
): Promise<BegunTurn | KnownTurn> {
  return db.transaction(async (tx) => {
    const project = await requireProject(tx, scope, { lock: 'change' });
    const before = await requireTurn(tx, scope, turnNumber);
    const known = key && !key.held ? await claimTurnKey(tx, key) : null;
    if (known !== null) return { known };
    const { running } = await findPosition(tx, scope, 0);
    if (running) await clearTheWay(tx, scope, running);
    if (before.turn.status !== 'failed' && !before.abandoned) {
      throw new AppError('turn_not_retryable', {
        detail: `Turn ${turnNumber} is ${before.turn.status}: only a failed or expired turn can be retried.`,
      });
    }
    const lease = { turnNumber, attempt: before.turn.attempt + 1, holder, seconds };
    const { turn, options } = await restartTurn(tx, scope, lease);
    if (key) await bindKeyToTurn(tx, key, scope, lease);
    const recent = await selectWindow(tx, scope, { from: turnNumber - window, before: turnNumber });
    const { message, priming } = turn;
    const request = { message, priming, ...options };
    return { ...request, turnNumber, project, recent, lease, turn, spentBefore: before.turn.usage };
  });
}

/** @throws AppError `turn_not_found` */
export async function requireTurn(db: Queryable, scope: Scope, turnNumber: number): Promise<StoredTurn> {
  const turn = await findTurn(db, scope, turnNumber);
  if (turn) return turn;
  throw turnNotFound(scope.projectId, turnNumber);
}

/** The turn as recorded, the project's row being held; one that was abandoned gives way. */
async function recordTurn(
  tx: Queryable,
  scope: Scope,
  turn: ReturnType<typeof turnOf>,
  holder: Holder,
  window: number,
): Promise<RecordedTurn> {
  for (;;) {
    const begun = await insertTurn(tx, scope, turn, holder, window);
    if (begun && 'stored' in begun) return begun;
    if (begun) await clearTheWay(tx, scope, begun.running);
  }
}

/** Ends the running turn if it was abandoned, or refuses. */
async function clearTheWay(
  tx: Queryable,
  scope: Scope,
  { turnNumber, abandoned }: NonNullable<Position['running']>,
): Promise<void> {
  const end = { status: 'failed', error: INTERRUPTED, abandonedOnly: true } as const;
  if (abandoned && (await endTurnOfOthers(tx, scope, turnNumber, end))) return;
  throw new AppError('turn_in_progress', {
    detail: `Turn ${turnNumber} of this project is still running. Wait for it, or cancel it.`,
    extra: {
      running_turn: `/projects/${encodeURIComponent(scope.projectId)}/turns/${turnNumber}`,
      turn_number: turnNumber,
    },
  });
}
