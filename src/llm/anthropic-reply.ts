import type { Generation, StopReason, TokenUsage, ToolCallPart } from './model.ts';

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
  content_block?: { type?: string; text?: unknown; id?: unknown; name?: unknown };
  delta?: { type?: string; text?: unknown; partial_json?: unknown; stop_reason?: string | null };
  usage?: Usage;
}

interface PartialCall {
  id: string;
  name: string;
  json: string;
}

/** Puts a reply together from its events, and hands its text on as it comes. */
export interface ReplyReader {
  read(event: ReplyEvent): void;
  /** The whole reply, or null when the stream ended before the reply did. */
  finish(): Generation | null;
}

/**
 * @param model its name, for a reply that does not say it
 * @param onText called with each stretch of text
 */
export function createReplyReader(model: string, onText: (delta: string) => void): ReplyReader {
  const texts: string[] = [];
  const calls = new Map<number, PartialCall>();
  const usage: Usage = {};
  let answeredBy = model;
  let stopReason: StopReason | null = null;

  const addText = (text: unknown): void => {
    if (typeof text !== 'string' || text === '') return;
    texts.push(text);
    onText(text);
  };
  return {
    read: ({ type, index = -1, message, content_block: block, delta, usage: counted }) => {
      switch (type) {
        case 'message_start':
          answeredBy = message?.model ?? model;
          mergeUsage(usage, message?.usage);
          break;
        case 'content_block_start':
          if (block?.type === 'text') addText(block.text);
          if (block?.type === 'tool_use') {
            calls.set(index, { id: String(block.id), name: String(block.name), json: '' });
          }
          break;
        case 'content_block_delta': {
          const call = calls.get(index);
          if (delta?.type === 'text_delta') addText(delta.text);
          if (delta?.type === 'input_json_delta' && call) call.json += String(delta.partial_json ?? '');
          break;
        }
        case 'message_delta':
          stopReason = toStopReason(delta?.stop_reason);
          mergeUsage(usage, counted);
          break;
      }
    },
    finish: () =>
      stopReason && {
        text: texts.join(''),
        toolCalls: [...calls.values()].map(toToolCall),
        stopReason,
        usage: toTokenUsage(usage),
        model: answeredBy,
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

function toStopReason(reason: string | null | undefined): StopReason | null {
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

/** Input that is no JSON (cut off, or garbled) stays text: whoever runs the tool then tells the model so. */
function toToolCall({ id, name, json }: PartialCall): ToolCallPart {
  let input: unknown = json;
  try {
    input = json.trim() === '' ? {} : JSON.parse(json);
  } catch {}
  return { type: 'tool_call', id, name, input };
}
