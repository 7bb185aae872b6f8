import { DEFAULT_SOURCES } from '../../contract/source.ts';
import type { Turn } from '../../contract/turn.ts';
import type { Cited } from '../../copilot/citations.ts';
import { buildPrompt } from '../../copilot/prompt.ts';
import { createReadResults, type ReadResults } from '../../copilot/read-results.ts';
import { contextDigest } from '../../copilot/receipt.ts';
import { type Answer, respond } from '../../copilot/respond.ts';
import { sourcesOf } from '../../copilot/sources.ts';
import { isGone } from '../../errors.ts';
import { Stopped } from '../followed/stopped.ts';
import { leavesOfShown } from '../shown-leaves.ts';
import { citeReply, noteEvent } from './answering.ts';
import { failureOf, turnError } from './failures.ts';
import { completeTurn, endUnanswered } from './finish.ts';
import { type Prepared, prepare } from './prepare.ts';
import { querySpending } from './query-spending.ts';
import { answerByResearch } from './research-turn.ts';
import { takeStep } from './step.ts';
import type { TurnRun } from './turn-run.ts';
import { readToolsOf } from './turn-tools.ts';

/**
 * Takes a turn that has begun to its end; only its signal stops it.
 *
 * @returns the completed or cancelled turn
 * @throws AppError what made the turn fail, with `turn_number`; the turn's row says so by then
 */
export async function runTurn(run: TurnRun): Promise<Turn> {
  try {
    const { answer, cited } = await (run.turn.research ? answerByResearch(run) : answerTurn(run));
    const turn = await completeTurn(run, answer, cited);
    run.emit({ type: 'turn.completed', data: turn });
    return turn;
  } catch (error) {
    return await settle(run, error);
  }
}

async function answerTurn(run: TurnRun): Promise<{ answer: Answer; cited: Cited }> {
  const { deps, scope, journal, signal } = run;
  const prepared = await prepare(run);
  signal.throwIfAborted();
  run.emit({ type: 'context.assembled', data: contextDigest(prepared.assembled) });

  // read while the model answers
  const leaves = leavesOfShown(deps.db, scope, prepared.assembled.passages);
  leaves.catch(() => undefined);
  const results = createReadResults(prepared.assembled.passages, prepared.input.passages.length + 1);
  const answer = await takeStep(journal, 'answer', () => reply(run, prepared, results));
  const shown = results.shown();
  // what tools have read is known only now
  const read = shown.slice(prepared.assembled.passages.length);
  const places = [...(await leaves), ...(await leavesOfShown(deps.db, scope, read))];
  return { answer, cited: citeReply(journal, answer.text, shown, places) };
}

/** The large model's reply, with what its tools have read in the results. */
async function reply(run: TurnRun, prepared: Prepared, results: ReadResults): Promise<Answer> {
  const { deps, scope, journal, signal } = run;
  const { sources = DEFAULT_SOURCES } = run.turn;
  const answer = await respond({
    model: deps.models.answer,
    prompt: buildPrompt(prepared.assembled, prepared.input),
    tools: prepared.input.tools,
    readTools: readToolsOf(
      deps.tools,
      { scope, sources, signal, onSpent: querySpending(run) },
      results,
      (err, tool) => deps.log.warn({ err, tool }, 'a tool that reads documents has failed'),
    ),
    room: Math.max(prepared.assembled.budget, prepared.plan.budgets.turn) - prepared.assembled.tokens,
    state: prepared.state,
    turnNumber: run.turn.turnNumber,
    now: deps.now ?? (() => new Date()),
    sourcesOf: (change) => sourcesOf(change, results.shown()),
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
      noteEvent(journal, event, { results, turnBudget: prepared.plan.budgets.turn });
      run.emit(event);
    },
  });
  journal.limitsApplied.push(...prepared.allowance.applied);
  journal.stopReason = answer.stopReason;
  signal.throwIfAborted();
  return answer;
}

/** Records how a turn ended that was not completed. */
async function settle(run: TurnRun, thrown: unknown): Promise<Turn> {
  const { deps, turn, signal } = run;
  // whatever a stop made the parts throw, its reason is what counts
  const cause: unknown = signal.aborted ? signal.reason : thrown;
  const stopped = cause instanceof Stopped ? cause.reason : null;
  const error = turnError(cause);
  error.extra.turn_number = turn.turnNumber;
  if (error.code === 'internal_error') {
    deps.log.error({ err: thrown, turn: turn.turnNumber }, 'a turn failed');
  }
  const outcome =
    stopped === 'cancelled'
      ? ({ status: 'cancelled', error: null } as const)
      : ({ status: 'failed', error: failureOf(error) } as const);
  const ended = await endUnanswered(run, outcome).catch((err: unknown) => {
    // deleted with its project; or the database is away: in that case the lease runs out, and the turn can be retried then
    deps.log[isGone(err) ? 'warn' : 'error'](
      { err, turn: turn.turnNumber },
      "a turn's end could not be recorded",
    );
    const failed = { status: 'failed', error: failureOf(error) } as const;
    return { ...turn.recorded, ...failed, completed_at: new Date().toISOString() };
  });
  // taken up again elsewhere: what is to be told of the turn is told there
  if (ended.attempt !== turn.lease.attempt || ended.status === 'in_progress') throw error;
  run.emit({ type: `turn.${ended.status}`, data: ended, endedElsewhere: stopped === 'lost' });
  if (ended.status === 'failed') throw error;
  return ended;
}
