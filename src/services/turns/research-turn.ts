import { performance } from 'node:perf_hooks';
import { DEFAULT_SOURCES } from '../../contract/source.ts';
import type { Cited } from '../../copilot/citations.ts';
import { buildPrompt } from '../../copilot/prompt.ts';
import { contextDigest } from '../../copilot/receipt.ts';
import type { Answer } from '../../copilot/respond.ts';
import { clarification } from '../../research/ambiguity.ts';
import { stateLines } from '../../state/lines.ts';
import { toolsOfSources } from '../research/agent-tools.ts';
import { ambiguityIn, answerByAgent } from '../research/answer.ts';
import { citeReply, noteEvent } from './answering.ts';
import { prepare } from './prepare.ts';
import { querySpending } from './query-spending.ts';
import type { TurnRun } from './turn-run.ts';

/**
 * Answers a turn by the research agent: it knows the conversation and the state, and reads the documents for itself. A
 * message that can mean several files is answered by the question which, before any model is called.
 */
export async function answerByResearch(run: TurnRun): Promise<{ answer: Answer; cited: Cited }> {
  const { deps, scope, turn, journal, signal } = run;
  const asked = { question: turn.message, sources: turn.sources ?? DEFAULT_SOURCES, files: [] };
  const ambiguity = await ambiguityIn(deps.db, scope, asked);
  if (ambiguity) {
    const text = clarification(ambiguity);
    run.emit({ type: 'answer.delta', data: { text } });
    const { state } = turn.project;
    const answer: Answer = { text, state, changes: [], model: null, stopReason: 'end_turn' };
    return { answer, cited: { text, citations: [], removed: 0 } };
  }
  const { assembled, input, state, plan, allowance } = await prepare(run);
  signal.throwIfAborted();
  run.emit({ type: 'context.assembled', data: contextDigest(assembled) });
  const from = performance.now();
  const { outcome, shown, leaves } = await answerByAgent({
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
  journal.stopReason = outcome.stopReason;
  signal.throwIfAborted();
  journal.time('answer', performance.now() - from);
  const cited = citeReply(journal, outcome.answer, shown, leaves);
  const { answer: text, model, stopReason } = outcome;
  return { answer: { text, state, changes: [], model, stopReason }, cited };
}
