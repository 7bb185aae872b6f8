import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RerankError, type RerankModel } from '../../src/reranking/model.ts';
import { createRerankServer } from '../../src/reranking/server.ts';
import { createVoyageReranker } from '../../src/reranking/voyage.ts';
import {
  type FakeReranker,
  type RerankFormat,
  type RerankScript,
  startFakeReranker,
} from '../fakes/rerank-server.ts';

const FORMATS: RerankFormat[] = ['voyage', 'cohere', 'vllm', 'tei'];
const TEXTS = ['Rain fell in March.', 'Dana decides on the budget.', 'The budget is 40,000 euros.'];
const QUESTION = 'Who decides on the budget?';

let server: FakeReranker | undefined;
beforeEach(() => {
  // the SDK warns of each value of a reply that is not what it expects
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(async () => {
  vi.restoreAllMocks();
  await server?.close();
  server = undefined;
});

async function start(
  format: RerankFormat,
  scripts: RerankScript[] = [],
): Promise<{ fake: FakeReranker; model: RerankModel }> {
  const fake = await startFakeReranker({ format, apiKey: 'test-key', script: (index) => scripts[index] });
  server = fake;
  return { fake, model: clientOf(format, fake.url) };
}

function clientOf(format: RerankFormat, baseUrl: string, apiKey = 'test-key'): RerankModel {
  if (format === 'voyage') return createVoyageReranker({ apiKey, baseUrl, model: 'rerank-2.5-lite' });
  return createRerankServer({
    dialect: format === 'tei' ? 'tei' : 'cohere',
    model: 'rerank-v4.0-fast',
    apiKey,
    baseUrl,
  });
}

async function failure(promise: Promise<unknown>): Promise<RerankError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RerankError);
  return error as RerankError;
}

describe.each(FORMATS)('a reranker that speaks %s', (format) => {
  it('gives a score for each document, in their order, however they come', async () => {
    const { fake, model } = await start(format);
    const { scores } = await model.rerank(QUESTION, TEXTS, {});
    expect(scores).toEqual([0, 0.8, 0.4]);
    expect(fake.requests).toHaveLength(1);
  });

  it.each<[string, RerankScript, object]>([
    [
      'a rate limit',
      { kind: 'error', status: 429, retryAfter: '17' },
      { retryAfterSeconds: 17, status: 429 },
    ],
    ['an error of the server', { kind: 'error', status: 500 }, { status: 500 }],
    ['overload', { kind: 'error', status: 503 }, { status: 503 }],
    ['a connection that breaks', { kind: 'hang_up' }, {}],
  ])('fails for now on %s, and is not asked twice', async (_, script, expected) => {
    const { fake, model } = await start(format, [script]);
    expect(await failure(model.rerank(QUESTION, TEXTS, {}))).toMatchObject({ retryable: true, ...expected });
    expect(fake.requests).toHaveLength(1);
  });

  it.each([400, 413, 422])('is refused for good with %i', async (status) => {
    const { model } = await start(format, [{ kind: 'error', status, message: 'too long' }]);
    const error = await failure(model.rerank(QUESTION, TEXTS, {}));
    expect(error).toMatchObject({ retryable: false, status, advice: undefined });
    expect(error.message).toContain('too long');
  });

  it('says which setting is to be changed where the key or the model is not taken', async () => {
    const { fake, model } = await start(format, [{ kind: 'error', status: 404 }]);
    expect((await failure(model.rerank(QUESTION, TEXTS, {}))).advice).toContain('RERANK_MODEL');
    const refused = await failure(clientOf(format, fake.url, 'wrong').rerank(QUESTION, TEXTS, {}));
    expect(refused.advice).toMatch(/(VOYAGE|RERANK)_API_KEY/);
    expect(`${refused.message} ${refused.advice}`).not.toContain('wrong');
  });

  const score = format === 'tei' ? 'score' : 'relevance_score';
  const results = (...pairs: [unknown, unknown][]) =>
    pairs.map(([index, value]) => ({ index, [score]: value }));
  it.each<[string, unknown]>([
    ['too few', results([0, 0.5], [1, 0.4])],
    ['too many', results([0, 0.5], [1, 0.4], [2, 0.3], [3, 0.2])],
    ['the same index twice', results([0, 0.5], [1, 0.4], [1, 0.3])],
    ['an index out of range', results([0, 0.5], [1, 0.4], [3, 0.3])],
    ['an index between two', results([0, 0.5], [1, 0.4], [1.5, 0.3])],
    ['an index below none', results([0, 0.5], [1, 0.4], [-1, 0.3])],
    ['null, as NaN is written in JSON', results([0, 0.5], [1, 0.4], [2, null])],
    ['text for a number', results([0, 0.5], [1, 0.4], [2, '0.3'])],
    ['no objects', [null, 1, 'x']],
    ['no list', { 0: 1 }],
  ])('refuses a reply with %s', async (_, sent) => {
    const { model } = await start(format, [{ kind: 'results', results: sent }]);
    expect(await failure(model.rerank(QUESTION, TEXTS, {}))).toMatchObject({ retryable: false });
  });

  it('refuses a page in place of JSON', async () => {
    const { model } = await start(format, [{ kind: 'not_json' }]);
    await failure(model.rerank(QUESTION, TEXTS, {}));
  });

  it('ends a request that is given up, with half of its answer there', async () => {
    const controller = new AbortController();
    const fake = await startFakeReranker({
      format,
      script: () => {
        setImmediate(() => controller.abort(new Error('given up')));
        return { kind: 'stall' };
      },
    });
    server = fake;
    const model = clientOf(format, fake.url);
    await expect(model.rerank(QUESTION, TEXTS, { signal: controller.signal })).rejects.toThrow('given up');
  });
});

it('sends Voyage what its API has, and books its tokens', async () => {
  const { fake, model } = await start('voyage');
  expect(await model.rerank(QUESTION, TEXTS, {})).toMatchObject({ tokens: 15, calls: 1 });
  expect(fake.requests).toEqual([
    { query: QUESTION, documents: TEXTS, model: 'rerank-2.5-lite', truncation: true },
  ]);
});

it('sends servers of the Cohere format what all of them know, and books units or tokens', async () => {
  const cohere = await start('cohere');
  expect(await cohere.model.rerank(QUESTION, TEXTS, {})).toMatchObject({ tokens: 0, calls: 1 });
  expect(cohere.fake.requests).toEqual([{ query: QUESTION, documents: TEXTS, model: 'rerank-v4.0-fast' }]);
  await cohere.fake.close();
  const vllm = await start('vllm');
  expect(await vllm.model.rerank(QUESTION, TEXTS, {})).toMatchObject({ tokens: 15, calls: 1 });
});

it('asks TEI to cut off what is too long, and about 32 documents at a time', async () => {
  const { fake, model } = await start('tei');
  const texts = Array.from({ length: 70 }, (_, index) => `Note ${index} on the budget`);
  const { scores, calls } = await model.rerank('Note 65', texts, {});
  expect(calls).toBe(3);
  expect(scores).toHaveLength(70);
  expect(scores.indexOf(Math.max(...scores))).toBe(65);
  expect(fake.requests.map(({ texts: part }) => (part as string[]).length).sort()).toEqual([32, 32, 6]);
  expect(fake.requests[0]).toMatchObject({ query: 'Note 65', truncate: true });
});

it('gives the other parts up with the one that failed', async () => {
  const fake = await startFakeReranker({
    format: 'tei',
    script: (index) => (index === 1 ? { kind: 'error', status: 500 } : { kind: 'stall' }),
  });
  server = fake;
  const texts = Array.from({ length: 40 }, (_, index) => `Note ${index}`);
  expect(await failure(clientOf('tei', fake.url).rerank('Note 5', texts, {}))).toMatchObject({ status: 500 });
});

it('says which setting is to be changed where a server takes fewer documents, or has no reranker', async () => {
  const batch = 'batch size 32 > maximum allowed batch size 16';
  const { model } = await start('tei', [
    { kind: 'error', status: 422, message: batch },
    { kind: 'error', status: 424, message: 'model is not a re-ranker model' },
  ]);
  expect((await failure(model.rerank(QUESTION, TEXTS, {}))).advice).toContain('RERANK_BATCH_SIZE');
  expect((await failure(model.rerank(QUESTION, TEXTS, {}))).advice).toContain('RERANK_MODEL');
});
