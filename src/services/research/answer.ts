import type { ResearchStep } from '../../contract/research.ts';
import type { Allowance, TurnPlan } from '../../copilot/limits.ts';
import { createReadResults, type ReadResults } from '../../copilot/read-results.ts';
import type { AnswerEvent } from '../../copilot/respond.ts';
import type { SentPassage } from '../../copilot/sections/documents.ts';
import { type Calibrator, limitFactor } from '../../copilot/token-calibration.ts';
import type { Phase } from '../../copilot/usage.ts';
import type { Database } from '../../db/database.ts';
import { selectFileNames } from '../../db/files.ts';
import type { LeafPlace } from '../../db/leaf-places.ts';
import type { LanguageModel, Message, SystemBlock, TokenUsage } from '../../llm/model.ts';
import { type AgentOutcome, runAgent } from '../../research/agent.ts';
import { type Ambiguity, ambiguousReference } from '../../research/ambiguity.ts';
import type { OnQuerySpent } from '../../retrieval/query-spending.ts';
import type { Scope, Source } from '../../scope.ts';
import type { FollowLog } from '../followed/kind.ts';
import { leavesOfShown } from '../shown-leaves.ts';
import type { Tool } from '../tools/tool.ts';
import { agentTools } from './agent-tools.ts';
import { priceOf } from './plan.ts';

/** A question, and where its answer is looked for. */
export interface Question {
  question: string;
  sources: readonly Source[];
  /** The files that it means, where it could mean several. */
  files: string[];
}

/**
 * What the question leaves open of which file it means: asked back before any model is called, unless the caller has said
 * it, or looks at no file of the project.
 */
export async function ambiguityIn(
  db: Database,
  scope: Scope,
  { question, sources, files }: Question,
): Promise<Ambiguity | null> {
  if (files.length > 0 || !sources.includes('project')) return null;
  return ambiguousReference(question, await selectFileNames(db, scope));
}

/** What the agent answers with: a run of its own and a turn differ in nothing else. */
export interface AgentWork extends Question {
  deps: {
    db: Database;
    models: { answer: LanguageModel; summary: LanguageModel };
    calibrator: Calibrator;
    log: Pick<FollowLog, 'warn'>;
  };
  scope: Scope;
  stateLines: string[];
  /** The tools that the sources allow. */
  tools: readonly Tool[];
  prompt: { system: SystemBlock[]; messages: Message[] };
  /** Of the prompt, as counted here. */
  tokens: number;
  plan: TurnPlan;
  allowance: Allowance;
  signal: AbortSignal;
  /** Told of each query that was embedded. */
  onSpent: OnQuerySpent;
  /** Told of each call of a model, also of those that fail. */
  onUsage: (phase: Phase & ('research' | 'document_summary'), usage: TokenUsage, model: string) => void;
  onEvent: (event: AnswerEvent, results: ReadResults) => void;
  onStep: (step: ResearchStep) => void;
}

/** The answer, with what its markers can mean. */
export interface AgentAnswer {
  outcome: AgentOutcome;
  shown: SentPassage[];
  leaves: LeafPlace[];
}

/** Lets the agent answer. @throws what `runAgent` throws */
export async function answerByAgent(work: AgentWork): Promise<AgentAnswer> {
  const { deps, scope, sources, question, files, stateLines, signal, allowance, tokens } = work;
  const { answer, summary } = deps.models;
  const results = createReadResults([], 1);
  const tools = agentTools(work.tools, {
    scope,
    sources,
    signal,
    results,
    onSpent: work.onSpent,
    mayCall: (calls) =>
      allowance.affords(calls, priceOf(summary.id), limitFactor(deps.calibrator.of(summary.id))),
    onUsage: (usage, model) => {
      work.onUsage('document_summary', usage, model);
      allowance.spend(usage, priceOf(model));
    },
    onFailure: (err, tool) => deps.log.warn({ err, tool }, 'a tool of research has failed'),
  });
  let isFirst = true;
  const outcome = await runAgent({
    model: answer,
    ...work.prompt,
    facts: {
      task: 'research',
      question,
      tools: tools.definitions.map(({ name }) => name),
      files,
      stateLines,
    },
    tools,
    room: work.plan.budgets.turn - tokens,
    terms: allowance.next,
    signal,
    onEvent: (event) => work.onEvent(event, results),
    onStep: work.onStep,
    onUsage: (usage, model) => {
      // the prompts after it have grown by what was counted in parts
      if (isFirst) deps.calibrator.learn(answer.id, { counted: tokens, reported: usage.inputTokens });
      isFirst = false;
      work.onUsage('research', usage, model);
      allowance.spend(usage);
    },
  });
  const shown = results.shown();
  return { outcome, shown, leaves: await leavesOfShown(deps.db, scope, shown) };
}
