import type { ServerResponse } from 'node:http';
import { claudeModel } from '../../src/llm/models.ts';
import type { AnthropicRequestBody, ContentBlock } from './anthropic-request-check.ts';

/** A thought in words, or one that the provider keeps to itself. */
export type ScriptedThought = string | { redacted: string };

export interface ScriptedReply {
  /** Blocks of thought before the text. */
  thinking?: ScriptedThought[];
  /** The text; an array is sent as one delta an element, a string in three. */
  text?: string | string[];
  /** Sent as text, in pieces: the answer to a request for structured output. */
  json?: unknown;
  /** Blocks of thought after the text and before what follows. */
  updates?: ScriptedThought[];
  /** A second text, after them. */
  moreText?: string;
  /** `rawInput` goes out as it is, in place of the input's JSON. */
  toolCalls?: { name: string; input?: unknown; rawInput?: string; id?: string }[];
  /** A block of a type that nobody knows yet, at the end. */
  unknownBlock?: Record<string, unknown> & { type: string };
  /** `tool_use` where there are tool calls, else `end_turn`. */
  stopReason?: string;
  usage?: Partial<ReplyUsage>;
  /**
   * How it ends: after its text the stream breaks, goes silent, thinks on for ever, reports an error, or carries broken
   * JSON.
   */
  ending?: 'complete' | 'cut' | 'silence' | 'pondering' | 'overloaded' | 'broken_json';
}

export interface ReplyUsage {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  output_tokens: number;
  output_tokens_details?: { thinking_tokens: number } | null;
}

/** A content block with the events that carry it. */
interface Sent {
  block: ContentBlock;
  start: ContentBlock;
  deltas: object[];
}

/** The whole message that a script makes, with the blocks as they are streamed. */
export function toMessage(
  body: AnthropicRequestBody,
  scripted: ScriptedReply,
  number: number,
  inputUsage: Omit<ReplyUsage, 'output_tokens'>,
) {
  const isShown = showsThinking(body);
  const sent = [
    ...(scripted.thinking ?? []).map((thought, i) => sentThought(thought, `${number}_${i}`, isShown)),
    ...sentText(scripted),
    ...(scripted.updates ?? []).map((thought, i) => sentThought(thought, `${number}_u${i}`, isShown)),
    ...sentText({ text: scripted.moreText ?? '' }),
    ...(scripted.toolCalls ?? []).map((call, i) => sentCall(call, `toolu_fake_${number}_${i + 1}`)),
    ...(scripted.unknownBlock
      ? [
          {
            block: scripted.unknownBlock,
            start: scripted.unknownBlock,
            deltas: [{ type: 'unheard_of_delta' }],
          },
        ]
      : []),
  ];
  const message = {
    id: `msg_fake_${number}`,
    type: 'message',
    role: 'assistant',
    model: body.model,
    content: sent.map(({ block }) => block),
    stop_reason: scripted.stopReason ?? (scripted.toolCalls?.length ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: {
      ...inputUsage,
      output_tokens: tokens(JSON.stringify(sent.map(({ block }) => block))),
      ...scripted.usage,
    },
  };
  return { message, sent };
}

export const tokens = (text: string): number => Math.ceil(text.length / 4);

/** Models that think by themselves keep the words to themselves, unless they are asked for a summary. */
function showsThinking({ model, thinking }: AnthropicRequestBody): boolean {
  const known = claudeModel(model);
  return !known || known.thinking === 'off' || thinking?.display === 'summarized';
}

function sentThought(thought: ScriptedThought, id: string, isShown: boolean): Sent {
  if (typeof thought !== 'string') {
    const block = { type: 'redacted_thinking', data: thought.redacted };
    return { block, start: block, deltas: [] };
  }
  const signature = `signature-${id}`;
  const shown = isShown ? thought : '';
  return {
    block: { type: 'thinking', thinking: shown, signature },
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...inThree(shown).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature },
    ],
  };
}

function sentText({ text, json }: ScriptedReply): Sent[] {
  const pieces = Array.isArray(text)
    ? text
    : inThree(json === undefined ? (text ?? '') : JSON.stringify(json));
  if (pieces.length === 0) return [];
  return [
    {
      block: { type: 'text', text: pieces.join('') },
      start: { type: 'text', text: '' },
      deltas: pieces.map((piece) => ({ type: 'text_delta', text: piece })),
    },
  ];
}

function sentCall(call: NonNullable<ScriptedReply['toolCalls']>[number], id: string): Sent {
  const { name, input = {}, rawInput } = call;
  const block = { type: 'tool_use', id: call.id ?? id, name, input: rawInput === undefined ? input : {} };
  const json = rawInput ?? JSON.stringify(input);
  return {
    block,
    start: { ...block, input: {} },
    deltas: ['', json.slice(0, 5), json.slice(5)].map((partial_json) => ({
      type: 'input_json_delta',
      partial_json,
    })),
  };
}

function inThree(whole: string): string[] {
  const size = Math.max(1, Math.ceil(whole.length / 3));
  return [0, 1, 2].map((i) => whole.slice(i * size, (i + 1) * size)).filter((delta) => delta !== '');
}

/** Streams a message as the real server does, up to the end that the script gives it. */
export function sendStream(
  response: ServerResponse,
  { message, sent }: ReturnType<typeof toMessage>,
  ending: ScriptedReply['ending'] = 'complete',
): void {
  const send = (type: string, data: object = {}): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  const { output_tokens, output_tokens_details = null, ...input } = message.usage;
  send('message_start', {
    message: { ...message, content: [], stop_reason: null, usage: { ...input, output_tokens: 1 } },
  });
  send('ping');
  for (const [index, { start, deltas }] of sent.entries()) {
    send('content_block_start', { index, content_block: start });
    for (const delta of deltas) send('content_block_delta', { index, delta });
    if (ending === 'complete') send('content_block_stop', { index });
  }
  switch (ending) {
    case 'cut':
      // after the bytes have left, or the client may not see them at all
      response.write('', () => setImmediate(() => response.destroy()));
      return;
    case 'silence':
      return;
    case 'pondering': {
      const pondering = setInterval(() => send('ping'), 50);
      response.once('close', () => clearInterval(pondering));
      return;
    }
    case 'overloaded':
      send('error', { error: { type: 'overloaded_error', message: 'Overloaded' } });
      response.end();
      return;
    case 'broken_json':
      response.end('event: content_block_delta\ndata: {"type":"content_block_del\n\n');
      return;
    default:
      send('message_delta', {
        delta: { stop_reason: message.stop_reason, stop_sequence: null },
        usage: { output_tokens, output_tokens_details },
      });
      send('message_stop');
      response.end();
  }
}
