import { type ReplyBlock, startBlock } from './anthropic-reply-blocks.ts';
import type { Generation, ReplyPart, StopReason, TokenUsage } from './model.ts';

interface Usage {
  input_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
  output_tokens?: number | null;
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

/** Puts a reply together from its events, and hands its text on as it comes. */
export interface ReplyReader {
  read(event: ReplyEvent): void;
  /** The whole reply, or null when the stream ended before the reply did. */
  finish(): Generation | null;
}

/** Between texts that thoughts or tool calls stand between. */
const BREAK = '\n\n';

/**
 * @param model its name, for a reply that does not say it
 * @param onText called with each stretch of text
 */
export function createReplyReader(model: string, onText: (delta: string) => void): ReplyReader {
  const blocks = new Map<number, ReplyBlock>();
  const usage: Usage = {};
  let text = '';
  let textOf = -1;
  let answeredBy = model;
  let stopReason: StopReason | null = null;

  const addText = (index: number, delta: string): void => {
    if (delta === '') return;
    const apart = text.trim() !== '' && index > textOf + 1;
    textOf = index;
    for (const piece of apart ? [BREAK, delta] : [delta]) {
      text += piece;
      onText(piece);
    }
  };
  return {
    read: ({ type, index = -1, message, content_block: content, delta, usage: counted }) => {
      switch (type) {
        case 'message_start':
          answeredBy = message?.model ?? model;
          mergeUsage(usage, message?.usage);
          break;
        case 'content_block_start': {
          const block = startBlock(content ?? {});
          if (!block) break;
          blocks.set(index, block);
          addText(index, block.text());
          break;
        }
        case 'content_block_delta':
          addText(index, blocks.get(index)?.add(delta ?? {}) ?? '');
          break;
        case 'message_delta':
          stopReason = toStopReason(delta?.stop_reason);
          mergeUsage(usage, counted);
          break;
      }
    },
    finish: () => {
      if (!stopReason) return null;
      const parts: ReplyPart[] = [...blocks.values()].map((block) => block.part());
      const toolCalls = parts.filter((part) => part.type === 'tool_call');
      return { text, toolCalls, parts, stopReason, usage: toTokenUsage(usage), model: answeredBy };
    },
  };
}

/** Later events count from the beginning again; a null in them means "as before". */
function mergeUsage(total: Usage, next: Usage = {}): void {
  total.input_tokens = next.input_tokens ?? total.input_tokens ?? null;
  total.cache_read_input_tokens = next.cache_read_input_tokens ?? total.cache_read_input_tokens ?? null;
  total.cache_creation_input_tokens =
    next.cache_creation_input_tokens ?? total.cache_creation_input_tokens ?? null;
  total.output_tokens = next.output_tokens ?? total.output_tokens ?? null;
}

/** Anthropic counts tokens read from and written to its cache apart from the input; the port counts them in. */
function toTokenUsage(usage: Usage): TokenUsage {
  const cachedTokens = usage.cache_read_input_tokens ?? 0;
  const cacheWriteTokens = usage.cache_creation_input_tokens ?? 0;
  return {
    inputTokens: (usage.input_tokens ?? 0) + cachedTokens + cacheWriteTokens,
    cachedTokens,
    cacheWriteTokens,
    outputTokens: usage.output_tokens ?? 0,
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
    case 'model_context_window_exceeded':
      return 'max_tokens';
    default:
      // end_turn; stop_sequence and pause_turn answer features that Forge does not use
      return 'end_turn';
  }
}
