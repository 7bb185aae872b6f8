import type { ProjectState } from '../../contract/state.ts';
import type { Turn, TurnFailure } from '../../contract/turn.ts';
import type { Cited } from '../../copilot/citations.ts';
import { exceeded } from '../../copilot/limits.ts';
import { contextDigest } from '../../copilot/receipt.ts';
import type { Answer } from '../../copilot/respond.ts';
import { sourcesOf } from '../../copilot/sources.ts';
import { mergeUsage, usageView } from '../../copilot/usage.ts';
import { endTurnOfOthers, finishTurn, keepPartialResponse } from '../../db/turn-end.ts';
import type { TurnEnd } from '../../db/turn-record.ts';
import type { Scope } from '../../scope.ts';
import { markStale } from '../../state/staleness.ts';
import { requireProject } from '../projects.ts';
import { requireTurn } from './begin.ts';
import type { TurnDeps } from './deps.ts';
import { enqueueSummary } from './enqueue-summary.ts';
import { replayChanges, routedState } from './routed-state.ts';
import type { TurnRun } from './turn-run.ts';

/**
 * Completes a turn: its row, the state it changed and the job for its summary, in one transaction. The changes are made
 * on the state as it is now, which a client may have changed meanwhile.
 *
 * @throws Stopped when the turn is no longer ours; nothing of it is stored then
 */
export async function completeTurn(run: TurnRun, answer: Answer, cited: Cited): Promise<Turn> {
  const { deps, scope, journal } = run;
  const { turnNumber, lease } = run.turn;
  const completed = await deps.db.transaction(async (tx) => {
    const project = await requireProject(tx, scope, { lock: 'change' });
    const routed = routedState(project.state, journal.decision);
    const by = { turn: turnNumber, now: deps.now?.() ?? new Date() };
    const shown = journal.assembled?.passages ?? [];
    const { state, views } = replayChanges(routed, answer.changes, by, (change) => sourcesOf(change, shown));
    journal.time('total', journal.elapsed());
    const end: TurnEnd = {
      ...endOf(run),
      status: 'completed',
      response: cited.text,
      citations: cited.citations,
      state_changes: [...modeChange(project.state, routed), ...views],
      model: answer.model,
    };
    // a file may have got another version since its sections were sent
    const left = markStale({ ...state, turn_count: Math.max(state.turn_count, turnNumber) });
    const ended = await finishTurn(tx, scope, lease, end, left);
    if (!ended) {
      run.stop('lost');
      throw run.signal.reason;
    }
    await enqueueSummary(tx, scope, turnNumber);
    return ended.turn;
  });
  nudgeAfterReply(deps);
  return completed;
}

/**
 * Ends a turn without changing the state: it failed, or was cancelled. What it had said by then stays if cancelled.
 *
 * @returns the turn as it is then; it may have been ended, or taken up again, elsewhere
 */
export async function endUnanswered(
  run: TurnRun,
  outcome: { status: 'failed'; error: TurnFailure } | { status: 'cancelled'; error: null },
): Promise<Turn> {
  const { deps, scope, journal } = run;
  const { turnNumber, lease } = run.turn;
  journal.time('total', journal.elapsed());
  const partial = journal.partial.trim() === '' ? null : journal.partial;
  const response = outcome.status === 'cancelled' ? partial : null;
  const end: TurnEnd = { ...endOf(run), ...outcome, response };
  const left = await deps.db.transaction(async (tx) => {
    await requireProject(tx, scope, { lock: 'change' });
    const ended = await finishTurn(tx, scope, lease, end, null);
    if (ended) {
      // what is not in the prompts' window any more must be found by search, answered or not
      await enqueueSummary(tx, scope, turnNumber);
      return ended.turn;
    }
    if (partial !== null) await keepPartialResponse(tx, scope, lease, partial);
    return (await requireTurn(tx, scope, turnNumber)).turn;
  });
  nudgeAfterReply(deps);
  return left;
}

/** Ends a turn that nobody here works on; false when it had ended already. */
export function endForeignTurn(
  deps: TurnDeps,
  scope: Scope,
  turnNumber: number,
  end: { status: 'failed' | 'cancelled'; error: TurnFailure | null; abandonedOnly: boolean },
): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    await requireProject(tx, scope, { lock: 'change' });
    const ended = await endTurnOfOthers(tx, scope, turnNumber, end);
    if (ended) await enqueueSummary(tx, scope, turnNumber);
    return ended;
  });
}

function endOf({ deps, turn, journal }: TurnRun): TurnEnd {
  const spent = usageView(journal.usage);
  // the end may be written more than once
  const changed = journal.limitsApplied.filter(({ setting }) => setting !== 'exceeded');
  journal.limitsApplied = [...changed, ...exceeded(turn.limits ?? {}, spent.cost_usd, journal.largestPrompt)];
  const receipt = journal.receipt(turn.turnNumber, deps.embeddingModel.id);
  return {
    status: 'failed',
    response: null,
    probe: journal.decision ? journal.decision.next_probe : turn.project.state.routing.active_probe,
    routing: journal.decision,
    citations: [],
    state_changes: [],
    context: receipt && contextDigest(receipt),
    used_stale: receipt?.used_stale ?? [],
    limits_applied: receipt?.limits_applied ?? [],
    usage: mergeUsage(turn.spentBefore, spent),
    timings_ms: journal.timings,
    model: journal.models.answer,
    stop_reason: journal.stopReason,
    error: null,
    receipt,
  };
}

/** The summary's job must not stand in the way of the reply, which is being written. */
const nudgeAfterReply = ({ nudgeJobs }: TurnDeps): void => {
  if (nudgeJobs) setImmediate(nudgeJobs);
};

function modeChange(before: ProjectState, after: ProjectState): Record<string, unknown>[] {
  const [previous_mode, mode] = [before.routing.active_mode, after.routing.active_mode];
  return mode === previous_mode ? [] : [{ tool: 'switch_mode', applied: true, mode, previous_mode }];
}
