import type { AnswerStop } from '../contract/receipt.ts';
import type { ProjectState } from '../contract/state.ts';
import type { TurnEvent } from '../contract/turn-event.ts';
import { AppError } from '../errors.ts';
import type {
  Generation,
  LanguageModel,
  Message,
  OnUsage,
  ToolCallPart,
  ToolDefinition,
  ToolResultPart,
} from '../llm/model.ts';
import { countTokens } from '../text/tokens.ts';
import type { CallTerms } from './limits.ts';
import type { Prompt } from './prompt.ts';
import { executeStateTool, type MadeChange } from './tools.ts';

/** What happens while the large model answers, as it happens. */
export type AnswerEvent = Extract<
  TurnEvent,
  { type: 'reasoning.delta' | 'answer.delta' | 'tool.called' | 'tool.returned' }
>;

export interface RespondInput {
  model: LanguageModel;
  prompt: Prompt;
  tools: readonly ToolDefinition[];
  /** With the routing of this turn in it. */
  state: ProjectState;
  turnNumber: number;
  now: () => Date;
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
  /** As the provider names it. */
  model: string;
  /** `max_tokens`: the reply was cut off at the limit of output tokens. */
  stopReason: AnswerStop;
}

/** More calls in one round than any reply needs: the rest are refused. */
const MOST_CALLS_A_ROUND = 24;
const BETWEEN_ROUNDS = '\n\n';
/** Tokens that the provider's format adds to a tool result, on the safe side. */
const RESULT_FRAMING = 40;
const URGE = '(No reply has reached the user yet. Reply to the message now.)';
const GO_ON = '(You were interrupted. Go on.)';
const CONDENSED =
  '(Your changes to the state have been made. No reply has reached the user yet: reply to the message now.)';

/**
 * Phase B: the large model answers, and changes the state by its tools, in a bounded number of rounds. The state is a
 * value: nothing is stored here.
 *
 * @throws AppError `model_rejected` when the model refuses, `model_unavailable` when it says nothing; `ModelError` when
 * it fails
 */
export async function respond(input: RespondInput): Promise<Answer> {
  let messages: Message[] = [...input.prompt.messages];
  const texts: string[] = [];
  const changes: MadeChange[] = [];
  let { state } = input;
  let urged = false;
  let hasThoughts = false;
  let grown = 0;
  let model = input.model.id;
  for (let round = 1; ; round++) {
    const terms = input.terms(round, grown);
    const last = urged || terms.final;
    if (terms.condensed && texts.length > 0) {
      return { text: texts.join(BETWEEN_ROUNDS), state, changes, model, stopReason: 'tool_use' };
    }
    const sent = terms.condensed ? withNote(input.prompt.messages, CONDENSED) : messages;
    const generation = await generate(input, sent, last, terms.maxOutputTokens, {
      answer: apart(texts.length > 0, (text) => input.onEvent({ type: 'answer.delta', data: { text } })),
      reasoning: apart(hasThoughts, (text) => {
        hasThoughts = true;
        input.onEvent({ type: 'reasoning.delta', data: { text } });
      }),
    });
    input.onUsage(generation.usage, generation.model);
    model = generation.model;
    grown += generation.usage.outputTokens;
    if (generation.stopReason === 'refusal') throw refused();
    if (generation.text.trim() !== '') texts.push(generation.text.trim());
    const goesOn = wantsToGoOn(generation) && !last;
    if (!goesOn) {
      if (texts.length === 0) {
        if (last) throw silent(generation);
        // after tool calls a model sometimes ends without a word to the user
        messages = withNote(messages, URGE);
        urged = true;
        continue;
      }
      const text = texts.join(BETWEEN_ROUNDS);
      const stopReason = generation.stopReason === 'pause' ? 'tool_use' : generation.stopReason;
      return { text, state, changes, model, stopReason };
    }
    const results: ToolResultPart[] = [];
    for (const [index, call] of generation.toolCalls.entries()) {
      const outcome = runCall(input, state, call, index);
      state = outcome.state;
      if (outcome.made) changes.push(outcome.made);
      results.push({ type: 'tool_result', id: call.id, content: outcome.content, isError: outcome.isError });
    }
    // all of it: a provider refuses results of calls whose thoughts are missing or changed
    messages.push({ role: 'assistant', content: generation.parts });
    messages.push({ role: 'user', content: results.length > 0 ? results : [{ type: 'text', text: GO_ON }] });
    for (const result of results) grown += countTokens(result.content) + RESULT_FRAMING;
  }
}

/** The model has called tools, or was interrupted in what it says. Calls of a reply that was cut off may be cut off themselves. */
const wantsToGoOn = ({ stopReason, toolCalls, text }: Generation): boolean =>
  toolCalls.length > 0 ? stopReason !== 'max_tokens' : stopReason === 'pause' && text.trim() !== '';

/** The messages, with a note at the end of the last one, which is the user's. */
function withNote(messages: readonly Message[], note: string): Message[] {
  return messages.map((message, index) =>
    index < messages.length - 1
      ? message
      : { ...message, content: [...message.content, { type: 'text', text: note }] },
  );
}

function generate(
  input: RespondInput,
  messages: Message[],
  last: boolean,
  maxOutputTokens: number,
  on: { answer: (delta: string) => void; reasoning: (delta: string) => void },
): Promise<Generation> {
  return input.model.generate({
    ...input.prompt,
    messages: [...messages],
    tools: [...input.tools],
    ...(last && { toolChoice: 'none' }),
    maxOutputTokens,
    signal: input.signal,
    onText: on.answer,
    onReasoning: on.reasoning,
    onLost: input.onUsage,
  });
}

/** Passes a round's texts on, the first one set apart from those of the rounds before, if there were any. */
function apart(isLater: boolean, say: (text: string) => void): (delta: string) => void {
  let isFirst = isLater;
  return (delta) => {
    if (delta === '') return;
    say(isFirst ? `${BETWEEN_ROUNDS}${delta}` : delta);
    isFirst = false;
  };
}

function runCall(input: RespondInput, state: ProjectState, call: ToolCallPart, index: number) {
  const { id, name } = call;
  input.onEvent({ type: 'tool.called', data: { id, name, input: call.input } });
  const outcome =
    index < MOST_CALLS_A_ROUND
      ? executeStateTool(state, call, { turn: input.turnNumber, now: input.now() })
      : { state, content: 'Not done. Too many calls at once.', isError: true, made: null };
  const { content, isError } = outcome;
  input.onEvent({ type: 'tool.returned', data: { id, name, content, is_error: isError } });
  return outcome;
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
