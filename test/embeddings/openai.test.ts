import { afterEach, describe, expect, it } from 'vitest';
import { EmbeddingError } from '../../src/embeddings/model.ts';
import { createOpenAiEmbeddings, type OpenAiEmbeddingOptions } from '../../src/embeddings/openai.ts';
import {
  type EmbeddingsScript,
  type FakeEmbeddingsServer,
  startFakeEmbeddings,
} from '../fakes/openai-embeddings.ts';
import { SILENCE_MS, silences } from '../helpers/silence.ts';

const quick = { attempts: 5, minDelayMs: 1, maxDelayMs: 5 };
const servers: FakeEmbeddingsServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function start(
  scripts: EmbeddingsScript[] = [],
  options: Partial<OpenAiEmbeddingOptions> = {},
  server: Parameters<typeof startFakeEmbeddings>[0] = {},
) {
  const fake = await startFakeEmbeddings({ script: (_, index) => scripts[index], ...server });
  servers.push(fake);
  const model = createOpenAiEmbeddings({
    apiKey: undefined,
    baseUrl: fake.url,
    model: 'nomic-embed-text',
    dimensions: 768,
    prefixes: { query: '', document: '' },
    settings: { key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL' },
    retry: quick,
    ...options,
  });
  return { fake, model };
}

async function failure(promise: Promise<unknown>): Promise<EmbeddingError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EmbeddingError);
  return error as EmbeddingError;
}

const document = { inputType: 'document' } as const;

describe('what is asked for', () => {
  it('is the model and the texts, with neither key nor dimension for a server that wants none', async () => {
    const { fake, model } = await start();
    await model.embed(['a text'], document);
    expect(fake.requests).toEqual([{ model: 'nomic-embed-text', input: ['a text'] }]);
  });

  it('has the prefix of its kind in front of each text, and vectors of another prefix have another name', async () => {
    const prefixes = { query: 'search_query: ', document: 'search_document: ' };
    const { fake, model } = await start([], { prefixes });
    await model.embed(['churn', 'budget'], document);
    await model.embed(['who decides?'], { inputType: 'query' });
    expect(fake.requests.map(({ input }) => input)).toEqual([
      ['search_document: churn', 'search_document: budget'],
      ['search_query: who decides?'],
    ]);
    expect(model.id).toBe('nomic-embed-text (search_document:)');
  });

  it('is sent with the key where there is one', async () => {
    const { fake, model } = await start([], { apiKey: 'k' }, { apiKey: 'k' });
    await model.embed(['x'], document);
    expect(fake.requests).toHaveLength(1);
  });

  it('names the dimension for models that are known to be shortenable, and where it is told to', async () => {
    const models = { 'text-embedding-3-small': 1_536, matryoshka: 768 };
    const server = { models, dimensions: 'shortening' as const };
    const known = await start([], { model: 'text-embedding-3-small', dimensions: 512 }, server);
    expect((await known.model.embed(['x'], document)).vectors[0]).toHaveLength(512);
    const told = await start([], { model: 'matryoshka', dimensions: 256, sendDimensions: true }, server);
    expect((await told.model.embed(['x'], document)).vectors[0]).toHaveLength(256);
    expect([...known.fake.requests, ...told.fake.requests].map(({ dimensions }) => dimensions)).toEqual([
      512, 256,
    ]);
  });

  it('is nothing for no texts', async () => {
    const { fake, model } = await start();
    expect(await model.embed([], document)).toEqual({ vectors: [], tokens: 0 });
    expect(fake.requests).toHaveLength(0);
  });
});

describe('what is received', () => {
  it('is one unit-length vector a text, in the order of the index, and the tokens charged', async () => {
    const { model } = await start(['reversed', 'base64']);
    const texts = ['churn rose in March', 'churn fell'];
    const reversed = await model.embed(texts, document);
    const base64 = await model.embed(texts, document);
    const plain = await model.embed(texts, document);
    expect(plain.tokens).toBe(6);
    expect(reversed.vectors).toEqual(plain.vectors);
    for (const [i, vector] of base64.vectors.entries()) {
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      expect(vector[0]).toBeCloseTo(plain.vectors[i]?.[0] ?? 0, 5);
    }
  });

  it('counts no tokens where the server does not say', async () => {
    const { model } = await start(['no_usage']);
    expect((await model.embed(['x'], document)).tokens).toBe(0);
  });

  const of = (length: number, value: unknown = 1) => new Array(length).fill(value);
  it.each<[string, unknown]>([
    ['too few', [{ index: 0, embedding: of(768) }]],
    ['too many', [0, 1, 2].map((index) => ({ index, embedding: of(768) }))],
    ['the same index twice', [0, 0].map((index) => ({ index, embedding: of(768) }))],
    ['no index', [0, 1].map(() => ({ embedding: of(768) }))],
    ['text for numbers', [0, 1].map((index) => ({ index, embedding: of(768, '1') }))],
    ['null for numbers', [0, 1].map((index) => ({ index, embedding: of(768, null) }))],
    ['numbers beyond all bounds', [0, 1].map((index) => ({ index, embedding: of(768, 1e300) }))],
    ['only zeros', [0, 1].map((index) => ({ index, embedding: of(768, 0) }))],
    ['nothing', [null, null]],
  ])('refuses a reply with %s', async (_, data) => {
    const { fake, model } = await start([{ data }]);
    expect((await failure(model.embed(['a', 'b'], document))).retryable).toBe(false);
    expect(fake.requests).toHaveLength(1);
  });

  it('says what to set when vectors have another size', async () => {
    const { model } = await start([], { dimensions: 512 });
    const error = await failure(model.embed(['a'], document));
    expect(error).toMatchObject({ retryable: false });
    expect(error.advice).toMatch(/768 numbers.* EMBEDDING_DIMENSIONS has to be set to 768/);
  });
});

describe('what fails', () => {
  it.each<[string, EmbeddingsScript]>([
    ['rate limits', { status: 429 }],
    ['server errors', { status: 503 }],
    ['a connection that breaks', 'hang_up'],
    ['a page instead of JSON', 'not_json'],
  ])('is tried again: %s', async (_, script) => {
    const { fake, model } = await start([script, script]);
    expect((await model.embed(['x'], document)).vectors).toHaveLength(1);
    expect(fake.requests).toHaveLength(3);
  });

  it('is tried again after a body that stalls', async () => {
    const silence = silences();
    const { fake, model } = await start(['stall'], { timeoutMs: SILENCE_MS });
    const embedded = model.embed(['x'], document);
    await silence(() => fake.requests.length, 1);
    await embedded;
    expect(fake.requests).toHaveLength(2);
  });

  it('keeps status, words and what the server asked for, and tells of each pause', async () => {
    const busy = { status: 429, message: 'slow down', retryAfter: '17' };
    const { model } = await start([busy, busy], { retry: { ...quick, attempts: 2 } });
    const waits: unknown[] = [];
    const error = await failure(model.embed(['x'], { ...document, onWait: (wait) => waits.push(wait) }));
    expect(error).toMatchObject({ retryable: true, status: 429, retryAfterSeconds: 17 });
    expect(error.message).toContain('slow down');
    expect(waits).toMatchObject([{ rateLimited: true }]);
  });

  it.each<[string, EmbeddingsScript, RegExp]>([
    ['a key that is refused', { status: 401 }, /OPENAI_API_KEY/],
    ['a model that is not allowed', { status: 403 }, /OPENAI_API_KEY .*EMBEDDING_MODEL/],
    ['a page that is not there', { status: 404, body: 'not found' }, /EMBEDDING_MODEL .*OPENAI_BASE_URL/],
    ['an empty account', { status: 429, code: 'insufficient_quota' }, /OPENAI_API_KEY/],
    ['a model that is not loaded', { status: 400, body: { error: 'Model x not found' } }, /EMBEDDING_MODEL/],
  ])('names the setting and is final: %s', async (_, script, advice) => {
    const { fake, model } = await start([script]);
    const error = await failure(model.embed(['x'], document));
    expect(error.retryable).toBe(false);
    expect(error.advice).toMatch(advice);
    expect(fake.requests).toHaveLength(1);
  });

  it('names the setting where a server refuses to shorten vectors', async () => {
    const { model } = await start([], { dimensions: 256, sendDimensions: true });
    expect((await failure(model.embed(['x'], document))).advice).toMatch(/EMBEDDING_SEND_DIMENSIONS/);
  });

  it.each<[string, unknown]>([
    ['vLLM', { object: 'error', message: 'too long', type: 'BadRequestError', code: 400 }],
    ['TEI', { error: 'too long', error_type: 'Validation' }],
    ['FastAPI', { detail: 'too long' }],
    ['a proxy', 'too long'],
  ])('has the words of %s, and blames no setting for a request that is refused', async (_, body) => {
    const { model } = await start([{ status: 413, body }]);
    const error = await failure(model.embed(['x'], document));
    expect(error).toMatchObject({ retryable: false, status: 413 });
    expect(error.message).toContain('413: too long');
    expect(error.advice).toBeUndefined();
  });

  it('can be tried again where nothing listens', async () => {
    const { fake, model } = await start([], { retry: { ...quick, attempts: 1 } });
    await fake.close();
    expect(await failure(model.embed(['x'], document))).toMatchObject({ retryable: true });
  });

  it('ends with an abort', async () => {
    const controller = new AbortController();
    const { fake, model } = await start([new Promise(() => undefined)]);
    const call = model.embed(['x'], { inputType: 'query', signal: controller.signal });
    await expect.poll(() => fake.requests.length).toBe(1);
    controller.abort(new Error('cancelled'));
    await expect(call).rejects.toThrow('cancelled');
  });
});
