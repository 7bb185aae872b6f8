import type { PastTurn } from '../../copilot/past-turn.ts';
import type { RetrievalOption } from '../../copilot/route-decision.ts';
import type { Database, Queryable } from '../../db/database.ts';
import type { ProjectRecord } from '../../db/projects.ts';
import type { UsageView } from '../../db/turn-record.ts';
import { selectWindow } from '../../db/turn-window.ts';
import {
  endTurnOfOthers,
  findRunningTurn,
  findTurn,
  insertTurn,
  nextTurnNumber,
  restartTurn,
  type TurnLease,
  type TurnRecord,
} from '../../db/turns.ts';
import { AppError } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { requireProject } from '../projects.ts';
import { INTERRUPTED } from './failures.ts';

/** What a turn is asked to do. */
export interface TurnRequest {
  message: string;
  priming: boolean;
  retrieval: RetrievalOption;
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
  record: TurnRecord;
  /** What earlier attempts at it have used. */
  spentBefore: UsageView | null;
}

export interface Holder {
  holder: string;
  seconds: number;
}

/**
 * Records a turn, in one short transaction, before any model is called. A turn that was abandoned by its worker is
 * marked as failed; one that is still worked on refuses the new one.
 *
 * @throws AppError `project_not_found`, `turn_in_progress`
 */
export async function beginTurn(
  db: Database,
  scope: Scope,
  request: TurnRequest,
  { holder, seconds }: Holder,
  window: number,
): Promise<BegunTurn> {
  return db.transaction(async (tx) => {
    const project = await requireProject(tx, scope, { lock: 'change' });
    await clearTheWay(tx, scope);
    const turnNumber = await nextTurnNumber(tx, scope);
    const lease = { turnNumber, attempt: 1, holder, seconds };
    const options = { retrieval: request.retrieval };
    await insertTurn(tx, scope, { message: request.message, priming: request.priming, options }, lease);
    const recent = await selectWindow(tx, scope, { from: turnNumber - window, before: turnNumber });
    const record = await requireTurn(tx, scope, turnNumber);
    return { ...request, turnNumber, project, recent, lease, record, spentBefore: null };
  });
}

/**
 * Takes up a turn that failed or was abandoned: the same number and message, another attempt.
 *
 * @throws AppError `project_not_found`, `turn_not_found`, `turn_not_retryable`, `turn_in_progress`
 */
export async function beginRetry(
  db: Database,
  scope: Scope,
  turnNumber: number,
  { holder, seconds }: Holder,
  window: number,
): Promise<BegunTurn> {
  return db.transaction(async (tx) => {
    const project = await requireProject(tx, scope, { lock: 'change' });
    const before = await requireTurn(tx, scope, turnNumber);
    await clearTheWay(tx, scope);
    if (before.status !== 'failed' && !before.abandoned) {
      throw new AppError('turn_not_retryable', {
        detail: `Turn ${turnNumber} is ${before.status}: only a failed or expired turn can be retried.`,
      });
    }
    const lease = { turnNumber, attempt: before.attempt + 1, holder, seconds };
    await restartTurn(tx, scope, lease);
    const recent = await selectWindow(tx, scope, { from: turnNumber - window, before: turnNumber });
    const record = await requireTurn(tx, scope, turnNumber);
    const { message, priming, options } = record;
    const request = { message, priming, retrieval: options.retrieval };
    return { ...request, turnNumber, project, recent, lease, record, spentBefore: before.usage };
  });
}

/** @throws AppError `turn_not_found` */
export async function requireTurn(db: Queryable, scope: Scope, turnNumber: number): Promise<TurnRecord> {
  const turn = await findTurn(db, scope, turnNumber);
  if (turn) return turn;
  throw new AppError('turn_not_found', { detail: `The project has no turn ${turnNumber}.` });
}

async function clearTheWay(tx: Queryable, scope: Scope): Promise<void> {
  const running = await findRunningTurn(tx, scope);
  if (!running) return;
  const { turnNumber } = running;
  const end = { status: 'failed', error: INTERRUPTED, abandonedOnly: true } as const;
  if (running.abandoned && (await endTurnOfOthers(tx, scope, turnNumber, end))) return;
  throw new AppError('turn_in_progress', {
    detail: `Turn ${turnNumber} of this project is still running. Wait for it, or cancel it.`,
    extra: {
      running_turn: `/projects/${encodeURIComponent(scope.projectId)}/turns/${turnNumber}`,
      turn_number: turnNumber,
    },
  });
}
