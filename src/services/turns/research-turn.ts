import { performance } from 'node:perf_hooks';
import { DEFAULT_SOURCES } from '../../contract/source.ts';
import type { Cited } from '../../copilot/citations.ts';
import { buildPrompt } from '../../copilot/prompt.ts';
import { createReadResults } from '../../copilot/read-results.ts';
import { contextDigest } from '../../copilot/receipt.ts';
import type { Answer } from '../../copilot/respond.ts';
import { selectFileNames } from '../../db/files.ts';
import { runAgent } from '../../research/agent.ts';
import { ambiguousReference, clarification } from '../../research/ambiguity.ts';
import { stateLines } from '../../state/lines.ts';
import { agentTools } from '../research/agent-tools.ts';
import { priceOf } from '../research/plan.ts';
import { leavesOfShown } from '../shown-leaves.ts';
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
  const ambiguity = ambiguousReference(turn.message, await selectFileNames(deps.db, scope));
  if (ambiguity) {
    const text = clarification(ambiguity);
    run.emit({ type: 'answer.delta', data: { text } });
    const { state } = turn.project;
    const answer: Answer = { text, state, changes: [], model: null, stopReason: 'end_turn' };
    return { answer, cited: { text, citations: [], removed: 0 } };
  }
  const prepared = await prepare(run);
  signal.throwIfAborted();
  const prompt = buildPrompt(prepared.assembled, prepared.input);
  run.emit({ type: 'context.assembled', data: contextDigest(prepared.assembled) });
  const results = createReadResults([], 1);
  const tools = agentTools(deps.tools.research, {
    scope,
    sources: turn.sources ?? DEFAULT_SOURCES,
    signal,
    results,
    onSpent: querySpending(run),
    onUsage: (usage, model) => {
      journal.spend('document_summary', usage, model);
      prepared.allowance.spend(usage, priceOf(model));
    },
    onFailure: (err, tool) => deps.log.warn({ err, tool }, 'a tool of a research turn has failed'),
  });
  const from = performance.now();
  const outcome = await runAgent({
    model: deps.models.answer,
    system: prompt.system,
    messages: prompt.messages,
    facts: {
      task: 'research',
      question: turn.message,
      tools: tools.definitions.map(({ name }) => name),
      files: [],
      stateLines: stateLines(turn.project.state),
    },
    tools,
    room: prepared.plan.budgets.turn - prepared.assembled.tokens,
    terms: prepared.allowance.next,
    signal,
    onEvent: (event) => {
      noteEvent(journal, event, { results, turnBudget: prepared.plan.budgets.turn });
      run.emit(event);
    },
    onStep: () => undefined,
    onUsage: (usage, model) => {
      journal.spend('research', usage, model);
      journal.models.answer = model;
      prepared.allowance.spend(usage);
    },
  });
  journal.limitsApplied.push(...prepared.allowance.applied);
  journal.stopReason = outcome.stopReason;
  signal.throwIfAborted();
  journal.time('answer', performance.now() - from);
  const shown = results.shown();
  const cited = citeReply(journal, outcome.answer, shown, await leavesOfShown(deps.db, scope, shown));
  const { answer: text, model, stopReason } = outcome;
  return { answer: { text, state: prepared.state, changes: [], model, stopReason }, cited };
}
