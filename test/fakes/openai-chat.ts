import type { ServerResponse } from 'node:http';
import { type FakeServer, parseJson, sendJson, startHttpServer } from './http-server.ts';
import { type ChatRequestBody, problemWithChat } from './openai-chat-check.ts';

/** A reply, in the pieces that it is streamed in. */
export interface ScriptedChat {
  text?: string | string[];
  /** Thoughts, in the member that the server calls them by. */
  thoughts?: { member: 'reasoning' | 'reasoning_content'; pieces: string[] };
  refusal?: string;
  /** Pieces of tool calls, as they are. */
  toolCalls?: object[];
  finishReason?: string;
  /** Null: the server says nothing of it. */
  usage?: object | null;
  /** `cut` closes the connection before the end, `silence` keeps it open, `error` and `broken_json` are sent in the stream. */
  ending?: 'cut' | 'silence' | 'error' | 'broken_json';
}

export interface ChatError {
  status: number;
  message?: string;
  code?: string;
  retryAfter?: string;
}

export type ScriptedAnswer = ScriptedChat | ChatError | 'hang_up' | 'no_answer';

export interface FakeChatServer extends FakeServer {
  /** The valid requests, in order. */
  requests: ChatRequestBody[];
}

/**
 * A server that speaks the wire format of OpenAI's `POST /v1/chat/completions`, streamed, and refuses what such servers refuse.
 *
 * @param options.reply what to answer to request number `index` (from 0)
 * @param options.refuses what this server does not know of the API: the words that it refuses it with
 */
export async function startFakeChat(options: {
  reply: (request: ChatRequestBody, index: number) => ScriptedAnswer;
  apiKey?: string;
  refuses?: (request: ChatRequestBody) => string | undefined;
}): Promise<FakeChatServer> {
  const requests: ChatRequestBody[] = [];
  const server = await startHttpServer(async (request, text, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
      return sendError(response, { status: 404, message: 'Invalid URL' });
    }
    const { apiKey } = options;
    if (request.headers.authorization !== (apiKey === undefined ? undefined : `Bearer ${apiKey}`)) {
      return sendError(response, {
        status: 401,
        message: 'Incorrect API key provided.',
        code: 'invalid_api_key',
      });
    }
    const body = parseJson(text) as ChatRequestBody;
    const problem = problemWithChat(body) ?? options.refuses?.(body);
    if (problem) return sendError(response, { status: 400, message: problem });
    requests.push(body);
    const scripted = options.reply(body, requests.length - 1);
    if (scripted === 'no_answer') return;
    if (scripted === 'hang_up') {
      response.destroy();
      return;
    }
    if ('status' in scripted) return sendError(response, scripted);
    sendStream(response, body, scripted);
  });
  return { ...server, url: `${server.url}/v1`, requests };
}

function sendError(
  response: ServerResponse,
  { status, message = 'scripted error', code, retryAfter }: ChatError,
): void {
  sendJson(
    response,
    status,
    { error: { message, type: 'invalid_request_error', param: null, code: code ?? null } },
    { ...(retryAfter !== undefined && { 'retry-after': retryAfter }) },
  );
}

const listOf = (text: string | string[] | undefined): string[] =>
  text === undefined ? [] : Array.isArray(text) ? text : [text];

function sendStream(response: ServerResponse, body: ChatRequestBody, reply: ScriptedChat): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const send = (rest: object): void => {
    const chunk = {
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: body.model,
      ...rest,
    };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  const delta = (value: object): void => send({ choices: [{ index: 0, delta: value, finish_reason: null }] });
  delta({ role: 'assistant', content: '' });
  for (const piece of reply.thoughts?.pieces ?? []) delta({ [reply.thoughts?.member ?? '']: piece });
  for (const piece of listOf(reply.text)) delta({ content: piece });
  if (reply.refusal !== undefined) delta({ refusal: reply.refusal });
  for (const call of reply.toolCalls ?? []) delta({ tool_calls: [call] });
  switch (reply.ending) {
    case 'cut':
      response.write('data: {"id"', () => response.destroy());
      return;
    case 'silence':
      return;
    case 'error':
      response.end(`data: ${JSON.stringify({ error: { message: 'out of memory', code: 500 } })}\n\n`);
      return;
    case 'broken_json':
      response.end('data: {"choices":[{\n\n');
      return;
  }
  const finish = reply.finishReason ?? (reply.toolCalls ? 'tool_calls' : 'stop');
  send({ choices: [{ index: 0, delta: {}, finish_reason: finish }] });
  const { usage = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 } } = reply;
  if (usage !== null && body.stream_options?.include_usage) send({ choices: [], usage });
  response.end('data: [DONE]\n\n');
}
