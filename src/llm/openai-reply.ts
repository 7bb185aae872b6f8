import { countTokens } from '../text/tokens.ts';
import type { GenerateRequest, Generation, ReplyPart, StopReason, TokenUsage } from './model.ts';
import { createToolCalls, type ToolCallDelta } from './openai-tool-calls.ts';
import type { ReplyListener, ReplyReader } from './streamed-model.ts';

/** What matters here of the chunks of a streamed chat completion; none of it is taken for granted. */
export interface ChatChunk {
  model?: string;
  /** Empty or null in the last chunk, which has the usage. */
  choices?: { delta?: ChatDelta | null; finish_reason?: string | null }[] | null;
  usage?: ChatUsage | null;
}

interface ChatDelta {
  content?: string | null;
  refusal?: string | null;
  /** Thoughts, under either name; OpenAI itself shows none. */
  reasoning_content?: string | null;
  reasoning?: string | null;
  tool_calls?: ToolCallDelta[] | null;
}

interface ChatUsage {
  prompt_tokens?: number | null;
  completion_tokens?: number | null;
  prompt_tokens_details?: { cached_tokens?: number | null } | null;
  completion_tokens_details?: { reasoning_tokens?: number | null } | null;
}

type ThoughtsMember = 'reasoning_content' | 'reasoning';

/** @param model its name, for a reply that does not say it */
export function createChatReader(
  model: string,
  request: GenerateRequest,
  listener: ReplyListener,
): ReplyReader<ChatChunk> {
  const calls = createToolCalls();
  let text = '';
  let thoughts = '';
  let thoughtsMember: ThoughtsMember = 'reasoning_content';
  let isRefused = false;
  let finishReason: string | null = null;
  let counted: ChatUsage | null = null;
  let answeredBy = model;
  let isBegun = false;

  function hear(delta: ChatDelta): void {
    const member: ThoughtsMember = delta.reasoning_content ? 'reasoning_content' : 'reasoning';
    const thought = delta[member] ?? '';
    if (thought !== '') {
      thoughtsMember = member;
      thoughts += thought;
      listener.reasoning(thought);
    }
    const said = delta.content || delta.refusal || '';
    if (delta.refusal) isRefused = true;
    if (said !== '') {
      text += said;
      listener.text(said);
    }
    for (const call of delta.tool_calls ?? []) calls.add(call);
  }

  const usage = (): TokenUsage =>
    counted ? toTokenUsage(counted) : estimated(request, text + thoughts, calls.parts());

  return {
    read: ({ model: name, choices, usage: said }) => {
      isBegun = true;
      if (name) answeredBy = name;
      if (said) counted = said;
      for (const { delta, finish_reason: reason } of choices ?? []) {
        if (delta) hear(delta);
        finishReason = reason ?? finishReason;
      }
    },
    finish: (): Generation | null => {
      if (finishReason === null) return null;
      const toolCalls = calls.parts();
      const own = request.outputSchema ? jsonOf(text) : text;
      const parts: ReplyPart[] = [
        ...(thoughts === '' ? [] : [{ type: 'reasoning' as const, opaque: { [thoughtsMember]: thoughts } }]),
        ...(own === '' ? [] : [{ type: 'text' as const, text: own }]),
        ...toolCalls,
      ];
      const stopReason = isRefused ? 'refusal' : toStopReason(finishReason, toolCalls.length > 0);
      return { text: own, toolCalls, parts, stopReason, usage: usage(), model: answeredBy };
    },
    spent: () => (isBegun ? { usage: usage(), model: answeredBy } : null),
  };
}

function toStopReason(reason: string, hasCalls: boolean): StopReason {
  switch (reason) {
    case 'length':
      return 'max_tokens';
    case 'content_filter':
      return 'refusal';
    case 'tool_calls':
    case 'function_call':
      return 'tool_use';
    default:
      // some servers say `stop` when they have called a tool
      return hasCalls ? 'tool_use' : 'end_turn';
  }
}

function toTokenUsage(usage: ChatUsage): TokenUsage {
  const thinkingTokens = usage.completion_tokens_details?.reasoning_tokens;
  return {
    inputTokens: usage.prompt_tokens ?? 0,
    cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
    cacheWriteTokens: 0,
    outputTokens: usage.completion_tokens ?? 0,
    ...(typeof thinkingTokens === 'number' && { thinkingTokens }),
  };
}

/** What was read and written as it is counted here, where the server does not say. */
function estimated(
  { system, messages, tools }: GenerateRequest,
  said: string,
  calls: ReplyPart[],
): TokenUsage {
  const read = [system.map(({ text }) => text), messages.map(({ content }) => content), tools ?? []];
  const written = calls.length > 0 ? said + JSON.stringify(calls) : said;
  return {
    inputTokens: countTokens(JSON.stringify(read)),
    cachedTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: countTokens(written),
    isEstimated: true,
  };
}

/** The JSON of a reply to which nothing held the model: without the thoughts and the code fence that some put around it. */
function jsonOf(text: string): string {
  // by position: what a model writes that goes round in circles must not cost more than its length
  const thoughtsEnd = text.indexOf('</think>');
  const said = thoughtsEnd === -1 ? text : text.slice(thoughtsEnd + '</think>'.length);
  const open = said.indexOf('```');
  const line = open === -1 ? -1 : said.indexOf('\n', open);
  const close = line === -1 ? -1 : said.indexOf('```', line);
  const isFence = close !== -1 && /^(?:json)?$/.test(said.slice(open + 3, line).trim());
  return (isFence ? said.slice(line, close) : said).trim();
}
