import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AnthropicRequestBody, problemWithRequest } from './anthropic-request-check.ts';
import { type FakeServer, parseJson, sendJson, startHttpServer } from './http-server.ts';

export interface ScriptedReply {
  /** The text; an array is sent as one delta an element, a string in three. */
  text?: string | string[];
  /** Sent as text, in pieces: the answer to a request for structured output. */
  json?: unknown;
  /** `rawInput` goes out as it is, in place of the input's JSON. */
  toolCalls?: { name: string; input?: unknown; rawInput?: string; id?: string }[];
  /** `tool_use` where there are tool calls, else `end_turn`. */
  stopReason?: string;
  usage?: Partial<ReplyUsage>;
  /** How it ends: after its text the stream breaks, goes silent, reports an error, or carries broken JSON. */
  ending?: 'complete' | 'cut' | 'silence' | 'overloaded' | 'broken_json';
}

export interface ScriptedError {
  status: number;
  type?: string;
  message?: string;
  retryAfter?: string;
}

export type Scripted = ScriptedReply | ScriptedError | 'hang_up' | 'no_answer';

interface ReplyUsage {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  output_tokens: number;
}

export interface FakeAnthropic extends FakeServer {
  /** The valid requests, in order. */
  requests: AnthropicRequestBody[];
}

const ERROR_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
};

/**
 * A server that speaks the wire format of Anthropic's `POST /v1/messages`, streamed and not, and refuses what the real
 * one refuses. It counts a token for four characters, and knows the cached prefixes that it has seen.
 *
 * @param reply what to answer to request number `index` (from 0)
 */
export async function startFakeAnthropic(options: {
  reply: (request: AnthropicRequestBody, index: number) => Scripted | Promise<Scripted>;
  apiKey?: string;
}): Promise<FakeAnthropic> {
  const requests: AnthropicRequestBody[] = [];
  const cachedPrefixes = new Set<string>();
  const server = await startHttpServer(async (request, text, response) => {
    const refusal = refusalOf(request, options.apiKey ?? 'test-key');
    if (refusal) return sendError(response, refusal);
    const parsed = parseJson(text);
    const problem = problemWithRequest(parsed);
    if (problem) return sendError(response, { status: 400, message: problem });
    const body = parsed as AnthropicRequestBody;
    requests.push(body);
    const scripted = await options.reply(body, requests.length - 1);
    if (scripted === 'no_answer') return;
    if (scripted === 'hang_up') {
      response.destroy();
      return;
    }
    if ('status' in scripted) return sendError(response, scripted);
    const message = toMessage(body, scripted, requests.length, cachedPrefixes);
    if (body.stream) return sendStream(response, message, scripted);
    sendJson(response, 200, message, { 'request-id': requestId() });
  });
  return { ...server, requests };
}

function refusalOf({ method, url, headers }: IncomingMessage, apiKey: string): ScriptedError | undefined {
  if (url !== '/v1/messages') return { status: 404, message: 'Not found' };
  if (method !== 'POST') return { status: 405, type: 'invalid_request_error', message: 'Method Not Allowed' };
  // the SDK sends a bearer token since API version 2026-10-21; plain HTTP clients may send either
  const key = headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '');
  if (key !== apiKey) return { status: 401, message: 'invalid API key' };
  const version = headers['anthropic-version'];
  if (version === undefined) return { status: 400, message: 'anthropic-version: header is required' };
  if (version !== '2026-10-21') {
    return { status: 400, message: `anthropic-version: "${version}" is not a valid version` };
  }
  if (!headers['content-type']?.startsWith('application/json')) {
    return { status: 400, message: 'content-type: must be application/json' };
  }
  return undefined;
}

let lastRequestId = 0;
function requestId(): string {
  lastRequestId += 1;
  return `req_fake${String(lastRequestId).padStart(6, '0')}`;
}

function sendError(response: ServerResponse, { status, type, message, retryAfter }: ScriptedError): void {
  const id = requestId();
  const error = { type: type ?? ERROR_TYPES[status] ?? 'api_error', message: message ?? 'scripted error' };
  sendJson(
    response,
    status,
    { type: 'error', error, request_id: id },
    {
      'request-id': id,
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    },
  );
}

function toMessage(body: AnthropicRequestBody, scripted: ScriptedReply, number: number, cached: Set<string>) {
  const deltas = textDeltas(scripted);
  const calls = (scripted.toolCalls ?? []).map(({ id, name, input, rawInput }, i) => ({
    type: 'tool_use' as const,
    id: id ?? `toolu_fake_${number}_${i + 1}`,
    name,
    input: rawInput === undefined ? (input ?? {}) : {},
  }));
  const written = deltas.join('') + JSON.stringify(scripted.toolCalls ?? '');
  return {
    id: `msg_fake_${number}`,
    type: 'message',
    role: 'assistant',
    model: body.model,
    content: [...(deltas.length > 0 ? [{ type: 'text' as const, text: deltas.join('') }] : []), ...calls],
    stop_reason: scripted.stopReason ?? (calls.length > 0 ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: { ...inputUsage(body, cached), output_tokens: tokens(written), ...scripted.usage },
  };
}

function textDeltas({ text, json }: ScriptedReply): string[] {
  if (Array.isArray(text)) return text;
  const whole = json === undefined ? (text ?? '') : JSON.stringify(json);
  const size = Math.max(1, Math.ceil(whole.length / 3));
  return [0, 1, 2].map((i) => whole.slice(i * size, (i + 1) * size)).filter((delta) => delta !== '');
}

const tokens = (text: string): number => Math.ceil(text.length / 4);

function inputUsage(body: AnthropicRequestBody, cached: Set<string>): Omit<ReplyUsage, 'output_tokens'> {
  const system = Array.isArray(body.system) ? body.system : [];
  const marked = system.findLastIndex((block) => block.cache_control !== undefined);
  const prefix = JSON.stringify([body.model, body.tools, system.slice(0, marked + 1)]);
  const rest = JSON.stringify([system.slice(marked + 1), body.messages]);
  const seen = cached.has(prefix);
  if (marked >= 0) cached.add(prefix);
  return {
    input_tokens: tokens(rest) + (marked < 0 ? tokens(prefix) : 0),
    cache_creation_input_tokens: marked >= 0 && !seen ? tokens(prefix) : 0,
    cache_read_input_tokens: marked >= 0 && seen ? tokens(prefix) : 0,
  };
}

function sendStream(
  response: ServerResponse,
  message: ReturnType<typeof toMessage>,
  scripted: ScriptedReply,
): void {
  const send = (type: string, data: object = {}): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'request-id': requestId() });
  const { output_tokens, ...input } = message.usage;
  send('message_start', {
    message: { ...message, content: [], stop_reason: null, usage: { ...input, output_tokens: 1 } },
  });
  send('ping');
  for (const [index, block] of message.content.entries()) {
    if (block.type === 'text') {
      send('content_block_start', { index, content_block: { type: 'text', text: '' } });
      for (const text of textDeltas(scripted)) {
        send('content_block_delta', { index, delta: { type: 'text_delta', text } });
      }
    } else {
      const call = scripted.toolCalls?.[index - (message.content[0]?.type === 'text' ? 1 : 0)];
      const json = call?.rawInput ?? JSON.stringify(block.input);
      send('content_block_start', { index, content_block: { ...block, input: {} } });
      for (const partial_json of ['', json.slice(0, 5), json.slice(5)]) {
        send('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json } });
      }
    }
    if (scripted.ending === undefined || scripted.ending === 'complete')
      send('content_block_stop', { index });
  }
  switch (scripted.ending) {
    case 'cut':
      // after the bytes have left, or the client may not see them at all
      response.write('', () => setImmediate(() => response.destroy()));
      return;
    case 'silence':
      return;
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
        usage: { output_tokens },
      });
      send('message_stop');
      response.end();
  }
}
