import type { AnswerStop } from '../contract/receipt.ts';
import type { ProjectState } from '../contract/state.ts';
import type { TurnEvent } from '../contract/turn-event.ts';
import { AppError } from '../errors.ts';
import type {
  GenerateRequest,
  Generation,
  LanguageModel,
  Message,
  OnUsage,
  TextPart,
  ToolCallPart,
  ToolDefinition,
  ToolResultPart,
} from '../llm/model.ts';
import { countTokens } from '../text/tokens.ts';
import type { CallTerms } from './limits.ts';
import type { Prompt } from './prompt.ts';
import { createReplyText } from './reply-text.ts';
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
} from './rounds.ts';
import { executeStateTool, type MadeChange, type SourcesOf, type ToolOutcome } from './tools.ts';

/** What happens while the large model answers, as it happens. */
export type AnswerEvent = Extract<
  TurnEvent,
  { type: 'reasoning.delta' | 'answer.delta' | 'answer.reset' | 'tool.called' | 'tool.returned' }
>;

export interface RespondInput {
  model: LanguageModel;
  prompt: Prompt;
  tools: readonly ToolDefinition[];
  /** The tools among them that read; null: there are none. */
  readTools: ReadTools | null;
  /** Tokens that results of these may add to the prompt, and what the rounds between them add too. */
  room: number;
  /** With the routing of this turn in it. */
  state: ProjectState;
  turnNumber: number;
  now: () => Date;
  /** The files that a change is taken from, of those that were shown by then. */
  sourcesOf: SourcesOf;
  /** What each call may be, from round 1, given the tokens that the rounds before have added to the prompt. */
  terms: (round: number, grownTokens: number) => CallTerms;
  signal: AbortSignal;
  onEvent: (event: AnswerEvent) => void;
  /** Told of each call's usage, also of those that fail. */
  onUsage: OnUsage;
}

export interface Answer {
  text: string;
  state: ProjectState;
  changes: MadeChange[];
  /** As the provider names it; null: none was asked. */
  model: string | null;
  /** `max_tokens`: the reply was cut off at the limit of output tokens. */
  stopReason: AnswerStop;
}

/** Tools that change nothing: what they give is text of documents. */
export interface ReadTools {
  has(name: string): boolean;
  /** Never rejects but for an abort: what goes wrong is a result that says so. */
  run(call: ToolCallPart, maxTokens: number): Promise<{ content: string; isError: boolean }>;
}

const SUPERSEDED =
  '(What you wrote in front of these calls has not reached the user. Make the calls that are still needed, then write the whole reply.)';
const URGE = '(No reply has reached the user yet. Reply to the message now.)';
const CONDENSED =
  '(Your changes to the state have been made. No reply has reached the user yet: reply to the message now.)';

/**
 * Phase B: the large model answers, and changes the state by its tools, in a bounded number of rounds. The state is a
 * value: nothing is stored here. There is one reply: a text in front of tool calls stands only if no other comes after.
 *
 * @throws AppError `model_rejected` when the model refuses, `model_unavailable` when it says nothing; `ModelError` when
 * it fails
 */
export async function respond(input: RespondInput): Promise<Answer> {
  let messages: Message[] = [...input.prompt.messages];
  const reply = createReplyText(input.onEvent);
  const changes: MadeChange[] = [];
  let { state } = input;
  let urged = false;
  let grown = 0;
  let model = input.model.id;
  for (let round = 1; ; round++) {
    const terms = input.terms(round, grown);
    const last = urged || terms.final;
    if (terms.condensed && reply.said() !== '') {
      return { text: reply.said(), state, changes, model, stopReason: 'tool_use' };
    }
    const sent = terms.condensed ? withNote(input.prompt.messages, CONDENSED) : messages;
    const generation = await generate(input, sent, {
      last,
      maxOutputTokens: terms.maxOutputTokens,
      ...reply.listener(),
    });
    input.onUsage(generation.usage, generation.model);
    model = generation.model;
    grown += generation.usage.outputTokens;
    if (generation.stopReason === 'refusal') throw refused();
    reply.take(generation);
    if (!wantsToGoOn(generation) || last) {
      if (reply.said() === '') {
        if (last) throw silent(generation);
        // after tool calls a model sometimes ends without a word to the user
        messages = withNote(messages, URGE);
        urged = true;
        continue;
      }
      const stopReason = generation.stopReason === 'pause' ? 'tool_use' : generation.stopReason;
      return { text: reply.said(), state, changes, model, stopReason };
    }
    const results: (ToolResultPart | TextPart)[] = [];
    for (const [index, call] of generation.toolCalls.entries()) {
      const outcome = await runCall(input, state, call, { index, room: input.room - grown });
      state = outcome.state;
      if (outcome.made) changes.push(outcome.made);
      results.push({ type: 'tool_result', id: call.id, content: outcome.content, isError: outcome.isError });
      grown += countTokens(outcome.content) + RESULT_FRAMING;
    }
    // all of it: a provider refuses results of calls whose thoughts are missing or changed
    messages.push({ role: 'assistant', content: generation.parts });
    const note = results.length === 0 ? GO_ON : generation.text.trim() !== '' ? SUPERSEDED : null;
    if (note !== null) {
      results.push({ type: 'text', text: note });
      grown += RESULT_FRAMING;
    }
    messages.push({ role: 'user', content: results });
  }
}

function generate(
  input: RespondInput,
  messages: Message[],
  {
    last,
    ...call
  }: { last: boolean } & Required<Pick<GenerateRequest, 'maxOutputTokens' | 'onText' | 'onReasoning'>>,
): Promise<Generation> {
  return input.model.generate({
    ...input.prompt,
    messages: asSent(messages, last),
    tools: [...input.tools],
    ...(last && { toolChoice: 'none' }),
    signal: input.signal,
    onLost: input.onUsage,
    ...call,
  });
}

async function runCall(
  input: RespondInput,
  state: ProjectState,
  call: ToolCallPart,
  at: { index: number; room: number },
): Promise<ToolOutcome> {
  const { id, name } = call;
  input.onEvent({ type: 'tool.called', data: { id, name, input: call.input } });
  const outcome = await outcomeOf(input, state, call, at);
  const { content, isError } = outcome;
  input.onEvent({ type: 'tool.returned', data: { id, name, content, is_error: isError } });
  return outcome;
}

async function outcomeOf(
  { readTools, turnNumber, now, sourcesOf }: RespondInput,
  state: ProjectState,
  call: ToolCallPart,
  { index, room }: { index: number; room: number },
): Promise<ToolOutcome> {
  const refusal = (content: string): ToolOutcome => ({ state, content, isError: true, made: null });
  if (index >= MOST_CALLS_A_ROUND) return refusal('Not done. Too many calls at once.');
  if (!readTools?.has(call.name)) {
    return executeStateTool(state, call, { turn: turnNumber, now: now() }, sourcesOf);
  }
  if (room < LEAST_RESULT) return refusal(NO_ROOM);
  return { state, made: null, ...(await readTools.run(call, Math.min(room, LONGEST_RESULT))) };
}

const refused = (): AppError =>
  new AppError('model_rejected', {
    detail: 'The language model declined to answer this message. Put it differently, or send another one.',
  });

const silent = ({ stopReason }: Generation): AppError =>
  new AppError('model_unavailable', {
    detail:
      stopReason === 'max_tokens'
        ? 'The language model used up its limit of output tokens before it had said anything. Retry the turn; with `limits.max_cost_usd`, allow it more.'
        : 'The language model ended without an answer. Retry the turn.',
  });
