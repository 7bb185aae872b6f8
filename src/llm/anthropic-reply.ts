import { type ReplyBlock, startBlock } from './anthropic-reply-blocks.ts';
import type { ReplyPart, StopReason, TokenUsage } from './model.ts';
import { BREAK, type ReplyListener, type ReplyReader } from './streamed-model.ts';

interface Usage {
  input_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
  output_tokens?: number | null;
  output_tokens_details?: { thinking_tokens?: number | null } | null;
}

/** What matters here of the events of Anthropic's message stream; none of it is taken for granted. */
export interface ReplyEvent {
  type: string;
  index?: number;
  message?: { model?: string; usage?: Usage };
  content_block?: Record<string, unknown>;
  delta?: Record<string, unknown>;
  usage?: Usage;
}

/** Sets stretches apart that are of blocks with something between them, and passes them on. */
function createVoice(say: (delta: string) => void, isApart: (index: number, last: number) => boolean) {
  let spoken = '';
  let last = -1;
  return {
    add(index: number, delta: string): void {
      if (delta === '') return;
      const pieces = spoken.trim() !== '' && isApart(index, last) ? [BREAK, delta] : [delta];
      last = index;
      for (const piece of pieces) {
        spoken += piece;
        say(piece);
      }
    },
    spoken: () => spoken,
  };
}

/** @param model its name, for a reply that does not say it */
export function createReplyReader(model: string, listener: ReplyListener): ReplyReader<ReplyEvent> {
  const blocks = new Map<number, ReplyBlock>();
  const usage: Usage = {};
  const voices = {
    text: createVoice(listener.text, (index, last) => index > last + 1),
    reasoning: createVoice(listener.reasoning, (index, last) => index > last),
  };
  let answeredBy = model;
  let isCounted = false;
  let stopReason: StopReason | null = null;

  const hear = (index: number, { kind }: ReplyBlock, delta: string): void => {
    if (kind) voices[kind].add(index, delta);
  };
  return {
    read: ({ type, index = -1, message, content_block: content, delta, usage: counted }) => {
      switch (type) {
        case 'message_start':
          answeredBy = message?.model ?? model;
          mergeUsage(usage, message?.usage);
          isCounted = message?.usage !== undefined;
          break;
        case 'content_block_start': {
          const block = startBlock(content ?? {});
          if (!block) break;
          blocks.set(index, block);
          hear(index, block, block.text());
          break;
        }
        case 'content_block_delta': {
          const block = blocks.get(index);
          if (block) hear(index, block, block.add(delta ?? {}));
          break;
        }
        case 'message_delta':
          stopReason = toStopReason(delta?.stop_reason);
          mergeUsage(usage, counted);
          break;
      }
    },
    finish: () => {
      if (!stopReason) return null;
      const parts: ReplyPart[] = [...blocks.values()].map((block) => block.part());
      const text = voices.text.spoken();
      const toolCalls = parts.filter((part) => part.type === 'tool_call');
      return { text, toolCalls, parts, stopReason, usage: toTokenUsage(usage), model: answeredBy };
    },
    spent: () => (isCounted ? { usage: toTokenUsage(usage), model: answeredBy } : null),
  };
}

/** Later events count from the beginning again; a null in them means "as before". */
function mergeUsage(total: Usage, next: Usage = {}): void {
  total.input_tokens = next.input_tokens ?? total.input_tokens ?? null;
  total.cache_read_input_tokens = next.cache_read_input_tokens ?? total.cache_read_input_tokens ?? null;
  total.cache_creation_input_tokens =
    next.cache_creation_input_tokens ?? total.cache_creation_input_tokens ?? null;
  total.output_tokens = next.output_tokens ?? total.output_tokens ?? null;
  total.output_tokens_details = next.output_tokens_details ?? total.output_tokens_details ?? null;
}

/** Anthropic counts tokens read from and written to its cache apart from the input; the port counts them in. */
function toTokenUsage(usage: Usage): TokenUsage {
  const cachedTokens = usage.cache_read_input_tokens ?? 0;
  const cacheWriteTokens = usage.cache_creation_input_tokens ?? 0;
  const thinkingTokens = usage.output_tokens_details?.thinking_tokens;
  return {
    inputTokens: (usage.input_tokens ?? 0) + cachedTokens + cacheWriteTokens,
    cachedTokens,
    cacheWriteTokens,
    outputTokens: usage.output_tokens ?? 0,
    ...(typeof thinkingTokens === 'number' && { thinkingTokens }),
  };
}

function toStopReason(reason: unknown): StopReason | null {
  switch (reason) {
    case null:
    case undefined:
      return null;
    case 'tool_use':
    case 'refusal':
    case 'max_tokens':
      return reason;
    case 'pause_turn':
      return 'pause';
    case 'model_context_window_exceeded':
      return 'max_tokens';
    default:
      // end_turn; stop_sequence answers a feature that Forge does not use
      return 'end_turn';
  }
}
