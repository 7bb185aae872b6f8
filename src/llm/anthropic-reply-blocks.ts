import type { ReplyPart, ToolCallPart } from './model.ts';

/** One content block of a reply, as far as it has come. */
export interface ReplyBlock {
  /** What its text is; null for a block that has none to show. */
  readonly kind: 'text' | 'reasoning' | null;
  /** The text so far. */
  text(): string;
  /** Takes in a delta, and returns the text that it adds. */
  add(delta: Record<string, unknown>): string;
  part(): ReplyPart;
}

/** The block that a `content_block_start` begins; null for a type that is not known here, which is passed over. */
export function startBlock(content: Record<string, unknown>): ReplyBlock | null {
  switch (content.type) {
    case 'text':
      return textBlock(asText(content.text));
    case 'thinking':
      return thinkingBlock(content);
    case 'redacted_thinking':
      return { ...SILENT, part: () => ({ type: 'reasoning', opaque: content }) };
    case 'tool_use':
      return toolBlock(asText(content.id), asText(content.name));
    default:
      return null;
  }
}

const SILENT = { kind: null, text: () => '', add: () => '' };

function textBlock(start: string): ReplyBlock {
  let text = start;
  return {
    kind: 'text',
    text: () => text,
    add: (delta) => {
      const added = asText(delta.text);
      text += added;
      return added;
    },
    part: () => ({ type: 'text', text }),
  };
}

/** Its text is empty where it was not asked for, and its signature is not: the two go back as they came. */
function thinkingBlock(start: Record<string, unknown>): ReplyBlock {
  let thinking = asText(start.thinking);
  let signature = asText(start.signature);
  return {
    kind: 'reasoning',
    text: () => thinking,
    add: (delta) => {
      const added = asText(delta.thinking);
      thinking += added;
      signature += asText(delta.signature);
      return added;
    },
    part: () => ({ type: 'reasoning', opaque: { type: 'thinking', thinking, signature } }),
  };
}

function toolBlock(id: string, name: string): ReplyBlock {
  let json = '';
  return {
    ...SILENT,
    add: (delta) => {
      json += asText(delta.partial_json);
      return '';
    },
    part: () => toToolCall(id, name, json),
  };
}

/** Input that is no JSON (cut off, or garbled) stays text: whoever runs the tool then tells the model so. */
function toToolCall(id: string, name: string, json: string): ToolCallPart {
  let input: unknown = json;
  try {
    input = json.trim() === '' ? {} : JSON.parse(json);
  } catch {}
  return { type: 'tool_call', id, name, input };
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');
