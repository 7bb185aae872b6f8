import type { IncomingMessage, ServerResponse } from 'node:http';
import { claudeModel } from '../../src/llm/models.ts';
import { type ReplyUsage, type ScriptedReply, sendStream, tokens, toMessage } from './anthropic-message.ts';
import { type AnthropicRequestBody, problemWithRequest } from './anthropic-request-check.ts';
import { createThinkingMemory } from './anthropic-thinking.ts';
import { type FakeServer, parseJson, sendJson, startHttpServer } from './http-server.ts';

export interface ScriptedError {
  status: number;
  type?: string;
  message?: string;
  retryAfter?: string;
}

export type Scripted = ScriptedReply | ScriptedError | 'hang_up' | 'no_answer';

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
 * one refuses, also of thoughts that come back changed. It counts a token for four characters, and knows the cached prefixes that it has seen.
 *
 * @param reply what to answer to request number `index` (from 0)
 */
export async function startFakeAnthropic(options: {
  reply: (request: AnthropicRequestBody, index: number) => Scripted | Promise<Scripted>;
  apiKey?: string;
}): Promise<FakeAnthropic> {
  const requests: AnthropicRequestBody[] = [];
  const cachedPrefixes = new Set<string>();
  const thoughts = createThinkingMemory();
  const server = await startHttpServer(async (request, text, response) => {
    const refusal = refusalOf(request, options.apiKey ?? 'test-key');
    if (refusal) return sendError(response, refusal);
    const parsed = parseJson(text);
    const body = parsed as AnthropicRequestBody;
    const problem = problemWithRequest(parsed) ?? thoughts.problemWith(body);
    if (problem) return sendError(response, { status: 400, message: problem });
    requests.push(body);
    const scripted = await options.reply(body, requests.length - 1);
    if (scripted === 'no_answer') return;
    if (scripted === 'hang_up') {
      response.destroy();
      return;
    }
    if ('status' in scripted) return sendError(response, scripted);
    const reply = toMessage(body, scripted, requests.length, inputUsage(body, cachedPrefixes));
    thoughts.issue(body, reply.message.content);
    if (!body.stream) return sendJson(response, 200, reply.message, { 'request-id': requestId() });
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'request-id': requestId(),
    });
    sendStream(response, reply, scripted.ending);
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

function inputUsage(body: AnthropicRequestBody, cached: Set<string>): Omit<ReplyUsage, 'output_tokens'> {
  const system = Array.isArray(body.system) ? body.system : [];
  const marked = system.findLastIndex((block) => block.cache_control !== undefined);
  const prefix = JSON.stringify([body.model, body.tools, system.slice(0, marked + 1)]);
  const rest = JSON.stringify([system.slice(marked + 1), body.messages]);
  // a prefix that is too short is read without a word
  const kept = marked >= 0 && tokens(prefix) >= (claudeModel(body.model)?.cacheMinimum ?? 0);
  const seen = cached.has(prefix);
  if (kept) cached.add(prefix);
  return {
    input_tokens: tokens(rest) + (kept ? 0 : tokens(prefix)),
    cache_creation_input_tokens: kept && !seen ? tokens(prefix) : 0,
    cache_read_input_tokens: kept && seen ? tokens(prefix) : 0,
  };
}
