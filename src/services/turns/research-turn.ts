import { DEFAULT_SOURCES } from '../../contract/source.ts';
import type { Cited } from '../../copilot/citations.ts';
import { buildPrompt } from '../../copilot/prompt.ts';
import { contextDigest } from '../../copilot/receipt.ts';
import type { Answer } from '../../copilot/respond.ts';
import { clarification } from '../../research/ambiguity.ts';
import { stateLines } from '../../state/lines.ts';
import { toolsOfSources } from '../research/agent-tools.ts';
import { type AgentAnswer, ambiguityIn, answerByAgent, type Question } from '../research/answer.ts';
import { citeReply, noteEvent } from './answering.ts';
import { type Prepared, prepare } from './prepare.ts';
import { querySpending } from './query-spending.ts';
import { takeStep } from './step.ts';
import type { TurnRun } from './turn-run.ts';

/**
 * Answers a turn by the research agent: it knows the conversation and the state, and reads the documents for itself. A
 * message that can mean several files is answered by the question which, before any model is called.
 */
export async function answerByResearch(run: TurnRun): Promise<{ answer: Answer; cited: Cited }> {
  const { deps, scope, turn, journal, signal } = run;
  const asked: Question = { question: turn.message, sources: turn.sources ?? DEFAULT_SOURCES, files: [] };
  const ambiguity = await ambiguityIn(deps.db, scope, asked);
  if (ambiguity) {
    const text = clarification(ambiguity);
    run.emit({ type: 'answer.delta', data: { text } });
    const { state } = turn.project;
    const answer: Answer = { text, state, changes: [], model: null, stopReason: 'end_turn' };
    return { answer, cited: { text, citations: [], removed: 0 } };
  }
  const prepared = await prepare(run);
  signal.throwIfAborted();
  run.emit({ type: 'context.assembled', data: contextDigest(prepared.assembled) });
  const { outcome, shown, leaves } = await takeStep(journal, 'answer', () => reply(run, asked, prepared));
  const cited = citeReply(journal, outcome.answer, shown, leaves);
  const { answer: text, model, stopReason } = outcome;
  return { answer: { text, state: prepared.state, changes: [], model, stopReason }, cited };
}

/** The agent's reply, with what its tools have read. */
async function reply(
  run: TurnRun,
  asked: Question,
  { assembled, input, plan, allowance }: Prepared,
): Promise<AgentAnswer> {
  const { deps, scope, turn, journal, signal } = run;
  const answered = await answerByAgent({
    deps,
    scope,
    ...asked,
    stateLines: stateLines(turn.project.state),
    tools: toolsOfSources(deps.tools.research, asked.sources),
    prompt: buildPrompt(assembled, input),
    tokens: assembled.tokens,
    plan,
    allowance,
    signal,
    onSpent: querySpending(run),
    onUsage: (phase, usage, model) => {
      journal.spend(phase, usage, model);
      if (phase === 'research') journal.models.answer = model;
    },
    onEvent: (event, results) => {
      noteEvent(journal, event, { results, turnBudget: plan.budgets.turn });
      run.emit(event);
    },
    onStep: () => undefined,
  });
  journal.limitsApplied.push(...allowance.applied);
  journal.stopReason = answered.outcome.stopReason;
  signal.throwIfAborted();
  return answered;
}
