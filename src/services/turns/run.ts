import { performance } from 'node:perf_hooks';
import type { Turn } from '../../contract/turn.ts';
import { type Cited, resolveCitations } from '../../copilot/citations.ts';
import { buildPrompt } from '../../copilot/prompt.ts';
import { contextDigest } from '../../copilot/receipt.ts';
import { type Answer, type AnswerEvent, respond } from '../../copilot/respond.ts';
import { STATE_TOOL_DEFINITIONS } from '../../copilot/tools.ts';
import { type LeafPlace, selectLeavesOfParents } from '../../db/leaf-places.ts';
import { extendTurnLease } from '../../db/turns.ts';
import { startHeartbeat } from '../../heartbeat.ts';
import type { Scope } from '../../scope.ts';
import type { BegunTurn } from './begin.ts';
import type { LiveEvent, TurnDeps } from './deps.ts';
import { failureOf, TurnStopped, turnError } from './failures.ts';
import { completeTurn, endUnanswered } from './finish.ts';
import { createJournal, type Journal } from './journal.ts';
import { type Prepared, prepare } from './prepare.ts';
import type { TurnWatch } from './watch.ts';

/**
 * Takes a turn that has begun to its end. It hangs on no socket: only `controller` stops it.
 *
 * @returns the completed or cancelled turn
 * @throws AppError what made the turn fail, with `turn_number`; the turn's row says so by then
 */
export async function runTurn(
  deps: TurnDeps,
  scope: Scope,
  turn: BegunTurn,
  controller: AbortController,
  watch: TurnWatch,
  emit: (event: LiveEvent) => void,
): Promise<Turn> {
  const journal = createJournal();
  const onLost = (): void => controller.abort(new TurnStopped('lost'));
  const unwatch = watch.add({ ...turn.lease, scope, onLost });
  const heartbeat = startHeartbeat({
    leaseSeconds: turn.lease.seconds,
    extend: () => extendTurnLease(deps.db, scope, turn.lease),
    onError: (err) => deps.log.warn({ err, turn: turn.turnNumber }, "a turn's lease could not be prolonged"),
  });
  heartbeat.signal.addEventListener('abort', onLost);
  const deadline = setTimeout(
    () => controller.abort(new TurnStopped('deadline')),
    deps.options.turnTimeoutMs,
  );
  try {
    const { answer, cited } = await answerTurn(deps, scope, turn, journal, controller.signal, emit);
    const record = await completeTurn(deps, scope, turn, journal, answer, cited);
    emit({ type: 'turn.completed', data: record });
    return record;
  } catch (error) {
    return await settle(deps, scope, turn, journal, controller.signal, emit, error);
  } finally {
    clearTimeout(deadline);
    heartbeat.stop();
    unwatch();
  }
}

async function answerTurn(
  deps: TurnDeps,
  scope: Scope,
  turn: BegunTurn,
  journal: Journal,
  signal: AbortSignal,
  emit: (event: LiveEvent) => void,
): Promise<{ answer: Answer; cited: Cited }> {
  const prepared = await prepare(deps, scope, turn, journal, signal, (decision) =>
    emit({ type: 'route.decided', data: decision }),
  );
  signal.throwIfAborted();
  emit({ type: 'context.assembled', data: contextDigest(prepared.assembled) });

  // read while the model answers
  const leaves = sentLeaves(deps, scope, prepared);
  const from = performance.now();
  const answer = await respond({
    model: deps.models.answer,
    prompt: buildPrompt(prepared.assembled, prepared.input),
    tools: STATE_TOOL_DEFINITIONS,
    state: prepared.state,
    turnNumber: turn.turnNumber,
    now: deps.now ?? (() => new Date()),
    terms: prepared.allowance.next,
    signal,
    onUsage: (usage, model) => {
      if (journal.usage.answer === undefined) {
        const pair = { counted: prepared.assembled.tokens, reported: usage.inputTokens };
        deps.calibrator.learn(deps.models.answer.id, pair);
      }
      journal.spend('answer', usage, model);
      journal.models.answer = model;
      prepared.allowance.spend(usage);
    },
    onEvent: (event) => {
      note(journal, event);
      emit(event);
    },
  });
  journal.limitsApplied.push(...prepared.allowance.applied);
  journal.stopReason = answer.stopReason;
  signal.throwIfAborted();
  journal.time('answer', performance.now() - from);
  return { answer, cited: cite(journal, prepared, answer, await leaves) };
}

function note(journal: Journal, event: AnswerEvent): void {
  if (event.type !== 'answer.delta') return;
  if (journal.partial === '') journal.time('first_token', journal.elapsed());
  journal.partial += event.data.text;
}

/** The leaves of the sections that were sent, for whoever awaits them later. */
function sentLeaves(deps: TurnDeps, scope: Scope, { assembled }: Prepared): Promise<LeafPlace[]> {
  const parents = assembled.passages.map(({ passage }) => passage.parentId);
  const leaves = parents.length === 0 ? Promise.resolve([]) : selectLeavesOfParents(deps.db, scope, parents);
  leaves.catch(() => undefined);
  return leaves;
}

function cite(journal: Journal, { assembled }: Prepared, { text }: Answer, leaves: LeafPlace[]): Cited {
  const cited = resolveCitations(text, assembled.passages, leaves);
  journal.citations = { resolved: cited.citations.length, removed: cited.removed };
  return cited;
}

/** Records how a turn ended that was not completed. */
async function settle(
  deps: TurnDeps,
  scope: Scope,
  turn: BegunTurn,
  journal: Journal,
  signal: AbortSignal,
  emit: (event: LiveEvent) => void,
  thrown: unknown,
): Promise<Turn> {
  // whatever an abort made the parts throw, its reason is what counts
  const stopped = signal.reason instanceof TurnStopped ? signal.reason : thrown;
  const wasCancelled = stopped instanceof TurnStopped && stopped.reason === 'cancelled';
  const error = turnError(stopped);
  if (error.code === 'internal_error')
    deps.log.error({ err: thrown, turn: turn.turnNumber }, 'a turn failed');
  const outcome = wasCancelled
    ? ({ status: 'cancelled', error: null } as const)
    : ({ status: 'failed', error: failureOf(error) } as const);
  error.extra.turn_number = turn.turnNumber;
  const record = await endUnanswered(deps, scope, turn, journal, outcome).catch((cause: unknown) => {
    // the project is gone, or the database: in that case the lease runs out, and the turn can be retried then
    deps.log.error({ err: cause, turn: turn.turnNumber }, "a turn's end could not be recorded");
    return {
      ...turn.turn,
      status: 'failed',
      error: failureOf(error),
      completed_at: new Date().toISOString(),
    } as const;
  });
  // taken up again elsewhere: what is to be told of the turn is told there
  if (record.attempt !== turn.lease.attempt || record.status === 'in_progress') throw error;
  const endedElsewhere = stopped instanceof TurnStopped && stopped.reason === 'lost';
  emit({ type: `turn.${record.status}`, data: record, endedElsewhere });
  if (record.status === 'failed') throw error;
  return record;
}
