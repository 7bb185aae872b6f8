import { type FakeServer, parseJson, sendJson, startHttpServer } from './http-server.ts';
import { hashVector } from './voyage-server.ts';

export interface EmbeddingsRequest {
  input: string[];
  model: string;
  dimensions?: number;
}

/** How the server departs from a good answer for one request. */
export type EmbeddingsScript =
  /** `body` in place of OpenAI's form of an error. */
  | { status: number; message?: string; code?: string; retryAfter?: string; body?: unknown }
  /** Sends this in place of the reply's `data`. */
  | { data: unknown }
  | 'reversed'
  | 'base64'
  | 'no_usage'
  | 'not_json'
  /** Closes the connection without an answer. */
  | 'hang_up'
  /** Sends the beginning of the reply and nothing more. */
  | 'stall'
  /** Answers when the promise is fulfilled. */
  | Promise<void>;

export interface FakeEmbeddingsServer extends FakeServer {
  /** The valid requests, in order. */
  requests: EmbeddingsRequest[];
}

interface ServerOptions {
  script?: (request: EmbeddingsRequest, index: number) => EmbeddingsScript | undefined;
  /** Undefined: no key is asked for, and one that is sent is refused, so that a test sees it. */
  apiKey?: string;
  /** The models there are, with the sizes of their vectors. */
  models?: Record<string, number>;
  /** `shortening`: OpenAI's newer models; `refusing`: vLLM with a model that has one size. */
  dimensions?: 'shortening' | 'refusing';
}

/**
 * A server that speaks the wire format of OpenAI's `POST /v1/embeddings` and refuses what such servers refuse. Vectors are
 * those of `startFakeVoyage`.
 *
 * @param options.script what to do with request number `index` (from 0); a good answer when it returns nothing
 */
export async function startFakeEmbeddings(options: ServerOptions = {}): Promise<FakeEmbeddingsServer> {
  const requests: EmbeddingsRequest[] = [];
  const models = options.models ?? { 'nomic-embed-text': 768 };
  const server = await startHttpServer(async (request, body, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/embeddings') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found');
      return;
    }
    const { apiKey } = options;
    if (request.headers.authorization !== (apiKey === undefined ? undefined : `Bearer ${apiKey}`)) {
      return sendError(response, 401, 'Incorrect API key provided.', 'invalid_api_key');
    }
    const parsed = parseJson(body);
    const problem = problemWith(parsed, options, models);
    if (problem) return sendError(response, problem.status, problem.message, problem.code);
    const call = parsed as EmbeddingsRequest;
    requests.push(call);
    const script = options.script?.(call, requests.length - 1);
    if (script === 'hang_up') {
      response.destroy();
      return;
    }
    if (script === 'not_json') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>busy</html>');
      return;
    }
    if (script === 'stall') {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"object":"list",');
      return;
    }
    if (script instanceof Promise) await script;
    if (typeof script === 'object' && 'status' in script) {
      const { status, message = 'scripted error', code, retryAfter, body: own } = script;
      return sendJson(
        response,
        status,
        own ?? { error: { message, type: 'server_error', param: null, code } },
        {
          ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
        },
      );
    }
    const dimensions = call.dimensions ?? models[call.model] ?? 768;
    const data = call.input.map((text, index) => {
      const vector = hashVector(text, dimensions);
      return { object: 'embedding', index, embedding: script === 'base64' ? toBase64(vector) : vector };
    });
    const tokens = call.input.reduce((sum, text) => sum + text.split(/\s+/).length, 0);
    const scripted = typeof script === 'object' && 'data' in script ? script.data : data;
    return sendJson(response, 200, {
      object: 'list',
      data: script === 'reversed' ? data.toReversed() : scripted,
      model: call.model,
      ...(script !== 'no_usage' && { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
    });
  });
  return { ...server, url: `${server.url}/v1`, requests };
}

interface Problem {
  status: number;
  message: string;
  code?: string;
}

function problemWith(
  body: unknown,
  options: ServerOptions,
  models: Record<string, number>,
): Problem | undefined {
  if (typeof body !== 'object' || body === null)
    return { status: 400, message: 'The body is not valid JSON.' };
  const { input, model, dimensions } = body as Record<string, unknown>;
  if (typeof model !== 'string') return { status: 400, message: 'you must provide a model parameter' };
  if (!Object.hasOwn(models, model)) {
    return { status: 404, message: `The model \`${model}\` does not exist.`, code: 'model_not_found' };
  }
  if (!Array.isArray(input) || input.length === 0) return { status: 400, message: "'$.input' is invalid." };
  if (input.length > 2_048) return { status: 400, message: "'$.input' is too long." };
  if (input.some((text) => typeof text !== 'string' || text === '')) {
    return { status: 400, message: "'$.input' is invalid." };
  }
  if (dimensions !== undefined && options.dimensions !== 'shortening') {
    const message = `Model "${model}" does not support matryoshka representation, changing output dimensions will lead to poor results.`;
    return { status: 400, message };
  }
  const known = ['input', 'model', 'dimensions', 'encoding_format', 'user'];
  const extra = Object.keys(body).find((key) => !known.includes(key));
  return extra === undefined
    ? undefined
    : { status: 400, message: `Unrecognized request argument: ${extra}` };
}

function sendError(
  response: Parameters<typeof sendJson>[0],
  status: number,
  message: string,
  code?: string,
): void {
  sendJson(response, status, {
    error: { message, type: 'invalid_request_error', param: null, code: code ?? null },
  });
}

function toBase64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
}
