import type { ServerResponse } from 'node:http';
import { type FakeServer, parseJson, sendJson, startHttpServer } from './http-server.ts';

/** Whose wire format a server speaks. */
export type RerankFormat = 'voyage' | 'cohere' | 'vllm' | 'tei';

/** How the server departs from a good answer for one request. */
export type RerankScript =
  | { kind: 'ok' }
  | { kind: 'error'; status: number; message?: string; retryAfter?: string }
  /** Sends these in place of the scores. */
  | { kind: 'results'; results: unknown }
  | { kind: 'not_json' }
  /** Closes the connection without an answer. */
  | { kind: 'hang_up' }
  /** Sends the beginning of the reply and nothing more. */
  | { kind: 'stall' };

export interface FakeReranker extends FakeServer {
  /** What was asked, as it came. */
  requests: Record<string, unknown>[];
}

interface Options {
  format: RerankFormat;
  /** Undefined: the server asks for none. */
  apiKey?: string;
  /** How well a document answers the question, 0 to 1; left out: by the words that they share. */
  score?: (query: string, document: string) => number;
  /** What to do with request number `index` (from 0); a good answer when it returns nothing. */
  script?: (index: number) => RerankScript | undefined;
}

const PATHS: Record<RerankFormat, string> = {
  voyage: '/v1/rerank',
  cohere: '/v2/rerank',
  vllm: '/v1/rerank',
  tei: '/rerank',
};
const TEI_BATCH = 32;

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The share of the question's words that a document has. */
function sharedWords(query: string, document: string): number {
  const asked = wordsOf(query);
  const known = new Set(wordsOf(document));
  return asked.filter((word) => known.has(word)).length / Math.max(1, asked.length);
}

/** A server that speaks the wire format of a reranker and refuses what the real one refuses. Scores come best first. */
export async function startFakeReranker({
  format,
  apiKey,
  score = sharedWords,
  script = () => undefined,
}: Options): Promise<FakeReranker> {
  const requests: Record<string, unknown>[] = [];
  const server = await startHttpServer(async (request, body, response) => {
    const refuse = (status: number, message: string, headers = {}): void =>
      sendJson(response, status, refusal(format, status, message), headers);
    if (request.method !== 'POST' || request.url !== PATHS[format]) return refuse(404, 'Not Found');
    if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`) {
      return refuse(401, 'invalid api token');
    }
    const call = (parseJson(body) ?? {}) as Record<string, unknown>;
    const problem = problemWith(format, call);
    if (problem) return refuse(...problem);
    requests.push(call);
    const turn = script(requests.length - 1) ?? { kind: 'ok' };
    if (turn.kind === 'error') {
      const headers = turn.retryAfter === undefined ? {} : { 'retry-after': turn.retryAfter };
      return refuse(turn.status, turn.message ?? 'scripted error', headers);
    }
    if (turn.kind !== 'ok' && turn.kind !== 'results') return departs(response, turn.kind);
    const documents = (call.documents ?? call.texts) as string[];
    const scores = documents
      .map((text, index) => ({ index, score: score(String(call.query), text) }))
      .sort((a, b) => b.score - a.score);
    const words = documents.reduce((sum, text) => sum + wordsOf(text).length, 0);
    const reply = replyOf(format, scores, words);
    if (turn.kind === 'ok') return sendJson(response, 200, reply);
    const member = format === 'voyage' ? 'data' : 'results';
    return sendJson(response, 200, format === 'tei' ? turn.results : { ...reply, [member]: turn.results });
  });
  const base = PATHS[format].replace(/\/rerank$/, '');
  return { ...server, url: `${server.url}${base}`, requests };
}

function departs(response: ServerResponse, kind: 'not_json' | 'hang_up' | 'stall'): void {
  if (kind === 'hang_up') return void response.destroy();
  if (kind === 'not_json') {
    return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>busy</html>');
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"id":"1","results":[');
}

/** What is wrong with a request, with its status. */
function problemWith(format: RerankFormat, call: Record<string, unknown>): [number, string] | undefined {
  const documents = format === 'tei' ? call.texts : call.documents;
  const isTei = format === 'tei';
  if (typeof call.query !== 'string' || !Array.isArray(documents)) {
    return isTei ? [422, 'missing field `texts`'] : [400, 'invalid request: query and documents are needed'];
  }
  if (documents.length === 0) return [400, 'list of documents must not be empty'];
  if (isTei && documents.length > TEI_BATCH) {
    return [422, `batch size ${documents.length} > maximum allowed batch size ${TEI_BATCH}`];
  }
  if (!isTei && typeof call.model !== 'string') return [400, 'model is required'];
  const known: Record<RerankFormat, string[]> = {
    voyage: ['query', 'documents', 'model', 'top_k', 'return_documents', 'truncation'],
    cohere: ['query', 'documents', 'model', 'top_n', 'max_tokens_per_doc', 'priority'],
    vllm: Object.keys(call),
    tei: Object.keys(call),
  };
  const extra = Object.keys(call).find((name) => !known[format].includes(name));
  return extra === undefined ? undefined : [400, `unknown field: parameter '${extra}' is not a valid field`];
}

/** Each has its own form of a refusal. */
function refusal(format: RerankFormat, status: number, message: string): unknown {
  if (format === 'voyage') return { detail: message };
  if (format === 'cohere') return { id: 'c0ffee', message };
  if (format === 'vllm') return { error: { message, type: 'BadRequestError', param: null, code: status } };
  return { error: message, error_type: status === 429 ? 'Overloaded' : 'Validation' };
}

function replyOf(
  format: RerankFormat,
  scores: readonly { index: number; score: number }[],
  words: number,
): object {
  if (format === 'tei') return scores;
  const results = scores.map(({ index, score }) => ({ index, relevance_score: score }));
  if (format === 'voyage') {
    return { object: 'list', data: results, model: 'rerank-2.5-lite', usage: { total_tokens: words } };
  }
  if (format === 'cohere') {
    return {
      id: 'c0ffee',
      results,
      meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
    };
  }
  const withText = results.map((result) => ({ ...result, document: { text: 'as it was sent' } }));
  return {
    id: 'rerank-1',
    model: 'bge',
    usage: { prompt_tokens: words, total_tokens: words },
    results: withText,
  };
}
