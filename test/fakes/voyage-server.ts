import { createHash } from 'node:crypto';
import { type FakeServer, parseJson, sendJson, startHttpServer } from './http-server.ts';

export interface VoyageRequest {
  input: string[];
  model: string;
  input_type?: 'document' | 'query' | null;
  truncation?: boolean;
  output_dimension?: number;
}

/** How the server departs from a good answer for one request. */
export type VoyageScript =
  | { kind: 'ok' }
  | { kind: 'error'; status: number; detail?: string; retryAfter?: string }
  | { kind: 'dimensions'; dimensions: number }
  /** Sends this in place of the reply's `data`. */
  | { kind: 'data'; data: unknown }
  | { kind: 'reversed' }
  | { kind: 'not_json' }
  /** Closes the connection without an answer. */
  | { kind: 'hang_up' }
  /** Sends the beginning of the reply and nothing more. */
  | { kind: 'stall' };

export interface FakeVoyage extends FakeServer {
  requests: VoyageRequest[];
}

const DIMENSIONS = new Set([256, 512, 1024, 2048]);

/**
 * A server that speaks the wire format of Voyage's `POST /v1/embeddings` and refuses what the real one refuses. Vectors
 * are made from the hashes of the text's words, so that texts that share words are near each other.
 *
 * @param script what to do with request number `index` (from 0); a good answer when it returns nothing
 */
export async function startFakeVoyage(
  options: {
    script?: (request: VoyageRequest, index: number) => VoyageScript | undefined;
    apiKey?: string;
  } = {},
): Promise<FakeVoyage> {
  const requests: VoyageRequest[] = [];
  const server = await startHttpServer(async (request, body, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/embeddings') {
      return sendJson(response, 404, { detail: 'Not Found' });
    }
    if (request.headers.authorization !== `Bearer ${options.apiKey ?? 'test-key'}`) {
      return sendJson(response, 401, { detail: 'Provided API key is invalid.' });
    }
    const parsed = parseJson(body);
    const problem = problemWith(parsed);
    if (problem) return sendJson(response, 400, { detail: problem });
    const call = parsed as VoyageRequest;
    requests.push(call);
    const script = options.script?.(call, requests.length - 1) ?? { kind: 'ok' };
    const dimensions = script.kind === 'dimensions' ? script.dimensions : (call.output_dimension ?? 1024);
    const data = call.input.map((text, index) => ({
      object: 'embedding',
      embedding: hashVector(text, dimensions),
      index,
    }));
    const reply = {
      object: 'list',
      data: script.kind === 'data' ? script.data : script.kind === 'reversed' ? data.toReversed() : data,
      model: call.model,
      usage: { total_tokens: call.input.reduce((sum, text) => sum + words(text).length, 0) },
    };
    switch (script.kind) {
      case 'error':
        return sendJson(
          response,
          script.status,
          { detail: script.detail ?? 'scripted error' },
          {
            ...(script.retryAfter === undefined ? {} : { 'retry-after': script.retryAfter }),
          },
        );
      case 'hang_up':
        response.destroy();
        return;
      case 'not_json':
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>busy</html>');
        return;
      case 'stall':
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"object":"list",');
        return;
      default:
        return sendJson(response, 200, reply);
    }
  });
  return { ...server, url: `${server.url}/v1`, requests };
}

function problemWith(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return 'Request body is not valid JSON.';
  const { input, model, input_type, truncation, output_dimension } = body as Record<string, unknown>;
  if (typeof model !== 'string') return 'Model is required.';
  if (!Array.isArray(input) || input.length === 0) return 'Input cannot be empty.';
  if (input.length > 1_000) return 'The batch size limit is 1000.';
  if (input.some((text) => typeof text !== 'string' || text === '')) {
    return 'Input cannot contain empty strings or empty lists.';
  }
  if (input_type != null && input_type !== 'document' && input_type !== 'query') return 'Invalid input_type.';
  if (truncation !== undefined && typeof truncation !== 'boolean') return 'Invalid truncation.';
  if (output_dimension != null && !DIMENSIONS.has(output_dimension as number)) {
    return `Value ${String(output_dimension)} supplied for argument output_dimension is not supported.`;
  }
  const known = [
    'input',
    'model',
    'input_type',
    'truncation',
    'output_dimension',
    'output_dtype',
    'encoding_format',
  ];
  const extra = Object.keys(body).find((key) => !known.includes(key));
  return extra === undefined ? undefined : `Argument '${extra}' is not supported by our API.`;
}

function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A bag of words thrown into `dimensions` buckets by their hashes, with signs; not of unit length. */
export function hashVector(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  vector[0] = 0.01;
  for (const word of words(text)) {
    const hash = createHash('sha256').update(word).digest();
    for (let i = 0; i < 4; i += 1) {
      const bucket = hash.readUInt32LE(i * 4) % dimensions;
      vector[bucket] =
        (vector[bucket] ?? 0) + (hash[16 + i] !== undefined && (hash[16 + i] ?? 0) % 2 === 0 ? 1 : -1);
    }
  }
  return vector;
}
