import { performance } from 'node:perf_hooks';
import type { ResearchStep } from '../contract/research.ts';
import type { CallTerms } from '../copilot/limits.ts';
import type { AnswerEvent } from '../copilot/respond.ts';
import {
  asSent,
  GO_ON,
  LEAST_RESULT,
  LONGEST_RESULT,
  MOST_CALLS_A_ROUND,
  NO_ROOM,
  RESULT_FRAMING,
  wantsToGoOn,
  withNote,
} from '../copilot/rounds.ts';
import { AppError } from '../errors.ts';
import type {
  Generation,
  LanguageModel,
  Message,
  OnUsage,
  ResearchFacts,
  ResearchResult,
  SystemBlock,
  TextPart,
  ToolCallPart,
  ToolDefinition,
  ToolResultPart,
} from '../llm/model.ts';
import { countTokens } from '../text/tokens.ts';
import { COMPLETE, createAgentText } from './agent-text.ts';
import { createCallGuard } from './call-guard.ts';

/** What a call gave: for the model as text, for rules as values. */
export interface AgentResult {
  content: string;
  isError: boolean;
  values: Pick<ResearchResult, 'lines' | 'passages' | 'structured'>;
  /** The file that the call names and that is not there. */
  missingFile: string | null;
}

/** The tools, as the agent calls them. */
export interface AgentTools {
  definitions: readonly ToolDefinition[];
  /** The input with its defaults, by which calls are compared. */
  canonical(call: ToolCallPart): unknown;
  /** Never rejects but for an abort: what goes wrong is a result that says so. */
  run(call: ToolCallPart, maxTokens: number): Promise<AgentResult>;
}

export interface AgentInput {
  model: LanguageModel;
  system: SystemBlock[];
  messages: Message[];
  facts: Omit<ResearchFacts, 'results' | 'isLast'>;
  tools: AgentTools;
  /** Tokens that results may add to the prompt, and what the steps between them add too. */
  room: number;
  /** What each call may be, from step 1, given the tokens that the steps before have added to the prompt. */
  terms: (step: number, grownTokens: number) => CallTerms;
  signal: AbortSignal;
  onEvent: (event: AnswerEvent) => void;
  /** Told of each step when it is done. */
  onStep: (step: ResearchStep) => void;
  /** Told of each call's usage, also of those that fail. */
  onUsage: OnUsage;
}

export interface AgentOutcome {
  status: 'completed' | 'step_limit_reached';
  answer: string;
  /** As the provider names it. */
  model: string;
  stopReason: 'end_turn' | 'max_tokens' | 'tool_use';
}

const URGE = '(No answer has reached the user yet. Answer the question now.)';
const LAST =
  `(This was the last step: no tool can be called any more. Answer from what you have found. If that answers the whole question, begin with ${COMPLETE}; ` +
  'else say what you have found, and what is missing.)';
const CONDENSED = `(What the tools gave cannot be sent again. ${LAST.slice(1)}`;

/**
 * Answers a question in steps: the model thinks, calls tools, reads what they give, and answers. The loop ends it after so
 * many steps, refuses a call that was made before, and passes on what fails as it is; it never tries again by itself.
 *
 * @throws AppError `model_rejected` when the model refuses; `ModelError` when it fails
 */
export async function runAgent(input: AgentInput): Promise<AgentOutcome> {
  const text = createAgentText(input.onEvent);
  const calls = createCalls(input);
  let messages: Message[] = [...input.messages];
  let urged = false;
  for (let step = 1; ; step++) {
    const terms = input.terms(step, calls.grown());
    const isLast = urged || terms.final;
    // a model that was asked to answer and has said nothing is not at its limit
    const atLimit = terms.final && !urged;
    const written = text.listener(atLimit ? noticeOf(step, terms) : null);
    const generation = await generate(input, {
      messages: atLimit ? atLastStep(input, messages, terms) : messages,
      isLast,
      results: calls.results,
      maxOutputTokens: terms.maxOutputTokens,
      onText: written.onText,
      onReasoning: written.onReasoning,
    });
    input.onUsage(generation.usage, generation.model);
    calls.grow(generation.usage.outputTokens);
    const { model, stopReason } = generation;
    if (stopReason === 'refusal') throw refused();
    if (wantsToGoOn(generation) && !isLast) {
      const isPaused = generation.toolCalls.length === 0;
      const thought = isPaused ? written.pauses() : written.goesOn(generation.text);
      messages = [...messages, ...(await calls.answered(generation, thought))];
      continue;
    }
    // calls that are not made, being cut off or too late, leave the answer open
    const isWhole = written.ends() && generation.toolCalls.length === 0;
    if (text.answer() === '' && !isLast) {
      messages = withNote(messages, URGE);
      urged = true;
      continue;
    }
    if (text.answer() === '') text.say(`${noticeOf(step, terms)}${calls.summary()}`);
    for (const name of calls.missing) {
      if (!text.answer().includes(name)) text.say(`\n\nI could not read '${name}': it was not found.`);
    }
    const status = isWhole && generation.text.trim() !== '' ? 'completed' : 'step_limit_reached';
    const ended = status === 'completed' ? 'end_turn' : 'tool_use';
    return {
      status,
      answer: text.answer().trim(),
      model,
      stopReason: stopReason === 'max_tokens' ? stopReason : ended,
    };
  }
}

const noticeOf = (steps: number, { condensed }: CallTerms): string =>
  `I could not complete this within the ${condensed ? 'limits' : `${steps} ${steps === 1 ? 'step' : 'steps'}`} allowed. What I found so far:\n\n`;

/** The last messages: with a note that says so; without what was read, where that may not be sent again. */
const atLastStep = (input: AgentInput, messages: readonly Message[], { condensed }: CallTerms): Message[] =>
  condensed ? withNote(input.messages, CONDENSED) : withNote(messages, LAST);

function generate(
  { model, system, facts, tools, signal, onUsage }: AgentInput,
  {
    messages,
    isLast,
    results,
    ...call
  }: {
    messages: readonly Message[];
    isLast: boolean;
    results: readonly ResearchResult[];
    maxOutputTokens: number;
    onText: (delta: string) => void;
    onReasoning: (delta: string) => void;
  },
): Promise<Generation> {
  return model.generate({
    system,
    messages: asSent(messages, isLast),
    facts: { ...facts, results: [...results], isLast },
    tools: [...tools.definitions],
    ...(isLast && { toolChoice: 'none' }),
    signal,
    onLost: onUsage,
    ...call,
  });
}

/** The calls of a run, with what they gave. */
function createCalls({ tools, facts, room, signal, onEvent, onStep }: AgentInput) {
  const guard = createCallGuard();
  const results: ResearchResult[] = [];
  const done: ResearchStep[] = [];
  const missing = new Set<string>();
  let grown = 0;

  async function resultOf(call: ToolCallPart, index: number): Promise<AgentResult> {
    const refusal = (content: string): AgentResult => ({
      content,
      isError: true,
      values: { lines: [content], passages: [], structured: null },
      missingFile: null,
    });
    if (index >= MOST_CALLS_A_ROUND) return refusal('Not done. Too many calls at once.');
    const earlier = guard.earlier(call.name, tools.canonical(call), done.length + 1);
    if (earlier !== null) {
      return refusal(
        `Not done. The same call was made in step ${earlier}: its result stands above, and is the same.`,
      );
    }
    if (room - grown < LEAST_RESULT) return refusal(NO_ROOM);
    return tools.run(call, Math.min(room - grown, LONGEST_RESULT));
  }

  async function make(call: ToolCallPart, index: number, thought: string): Promise<ToolResultPart> {
    const { id, name, input } = call;
    onEvent({ type: 'tool.called', data: { id, name, input } });
    const from = performance.now();
    const result = await resultOf(call, index);
    signal.throwIfAborted();
    const { content, isError } = result;
    grown += countTokens(content) + RESULT_FRAMING;
    results.push({ tool: name, input, isError, ...result.values });
    const asked = result.missingFile;
    if (asked !== null && facts.question.toLowerCase().includes(asked.toLowerCase())) missing.add(asked);
    const step: ResearchStep = {
      n: done.length + 1,
      thought: index === 0 ? thought : '',
      tool: name,
      input,
      output: content,
      is_error: isError,
      ms: Math.round((performance.now() - from) * 10) / 10,
    };
    done.push(step);
    onStep(step);
    onEvent({ type: 'tool.returned', data: { id, name, content, is_error: isError } });
    return { type: 'tool_result', id, content, isError };
  }

  return {
    results,
    missing,
    grown: () => grown,
    grow(tokens: number): void {
      grown += tokens;
    },

    /** Makes the calls of a reply: the messages that carry it on. */
    async answered(generation: Generation, thought: string): Promise<Message[]> {
      const parts: (ToolResultPart | TextPart)[] = [];
      for (const [index, call] of generation.toolCalls.entries())
        parts.push(await make(call, index, thought));
      if (parts.length === 0) parts.push({ type: 'text', text: GO_ON });
      return [
        // all of it: a provider refuses results of calls whose thoughts are missing or changed
        { role: 'assistant', content: generation.parts },
        { role: 'user', content: parts },
      ];
    },

    /** What was done, for who gets no other answer. */
    summary: (): string =>
      done.length === 0
        ? 'nothing was looked at.'
        : done.map(({ tool, input }) => `- ${tool} ${JSON.stringify(input)}`).join('\n'),
  };
}

const refused = (): AppError =>
  new AppError('model_rejected', {
    detail: 'The language model declined to answer this question. Put it differently.',
  });
