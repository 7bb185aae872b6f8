import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EmbeddingError } from '../../src/embeddings/model.ts';
import { createVoyageModel } from '../../src/embeddings/voyage.ts';
import { type FakeVoyage, startFakeVoyage, type VoyageScript } from '../fakes/voyage-server.ts';
import { SILENCE_MS, silences } from '../helpers/silence.ts';

const quick = { attempts: 5, minDelayMs: 1, maxDelayMs: 5 };
let server: FakeVoyage | undefined;
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
  scripts: VoyageScript[] = [],
  options: { timeoutMs?: number; retry?: typeof quick } = {},
) {
  const fake = await startFakeVoyage({ script: (_, index) => scripts[index] });
  server = fake;
  return {
    fake,
    model: createVoyageModel({ apiKey: 'test-key', baseUrl: fake.url, retry: quick, ...options }),
  };
}

async function failure(promise: Promise<unknown>): Promise<EmbeddingError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EmbeddingError);
  return error as EmbeddingError;
}

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

describe('createVoyageModel', () => {
  it('asks for what it was set up for, without truncation', async () => {
    const { fake, model } = await start();
    await model.embed(['a text'], { inputType: 'document' });
    await model.embed(['a question'], { inputType: 'query' });
    expect(fake.requests).toEqual([
      {
        input: ['a text'],
        model: 'voyage-3.5-lite',
        input_type: 'document',
        truncation: false,
        output_dimension: 512,
      },
      {
        input: ['a question'],
        model: 'voyage-3.5-lite',
        input_type: 'query',
        truncation: false,
        output_dimension: 512,
      },
    ]);
  });

  it('returns one unit-length vector a text and the tokens charged', async () => {
    const { model } = await start();
    const { vectors, tokens } = await model.embed(['churn rose in March', 'churn fell'], {
      inputType: 'document',
    });
    expect(vectors.map((vector) => vector.length)).toEqual([512, 512]);
    for (const vector of vectors) expect(dot(vector, vector)).toBeCloseTo(1, 5);
    expect(tokens).toBe(6);
  });

  it('orders vectors by their index, not by their place in the reply', async () => {
    const { model } = await start([{ kind: 'ok' }, { kind: 'reversed' }]);
    const plain = await model.embed(['alpha', 'beta', 'gamma'], { inputType: 'document' });
    const reversed = await model.embed(['alpha', 'beta', 'gamma'], { inputType: 'document' });
    expect(reversed.vectors).toEqual(plain.vectors);
  });

  it('sends nothing for no texts', async () => {
    const { fake, model } = await start();
    expect(await model.embed([], { inputType: 'document' })).toEqual({ vectors: [], tokens: 0 });
    expect(fake.requests).toHaveLength(0);
  });

  it.each<[string, VoyageScript]>([
    ['rate limits', { kind: 'error', status: 429 }],
    ['server errors', { kind: 'error', status: 503 }],
    ['a connection that breaks', { kind: 'hang_up' }],
    ['a page instead of JSON', { kind: 'not_json' }],
  ])('tries again after %s', async (_, script) => {
    const { fake, model } = await start([script, script]);
    const { vectors } = await model.embed(['x'], { inputType: 'document' });
    expect(vectors).toHaveLength(1);
    expect(fake.requests).toHaveLength(3);
  });

  it('tries again after a body that stalls', async () => {
    const silence = silences();
    const { fake, model } = await start([{ kind: 'stall' }], { timeoutMs: SILENCE_MS });
    const embedded = model.embed(['x'], { inputType: 'document' });
    await silence(() => fake.requests.length, 1);
    await embedded;
    expect(fake.requests).toHaveLength(2);
  });

  it('gives up after five tries with the status and what the provider asked for', async () => {
    const busy: VoyageScript = { kind: 'error', status: 429, detail: 'slow down', retryAfter: '17' };
    const { fake, model } = await start([busy, busy, busy, busy, busy, { kind: 'ok' }]);
    const error = await failure(model.embed(['x'], { inputType: 'document' }));
    expect(error).toMatchObject({ retryable: true, status: 429, retryAfterSeconds: 17 });
    expect(error.message).toContain('slow down');
    expect(fake.requests).toHaveLength(5);
  });

  it.each([400, 401, 403, 404, 422])('fails at once on %i', async (status) => {
    const { fake, model } = await start([{ kind: 'error', status, detail: 'no' }]);
    expect(await failure(model.embed(['x'], { inputType: 'document' }))).toMatchObject({
      retryable: false,
      status,
    });
    expect(fake.requests).toHaveLength(1);
  });

  it.each([
    [401, 'no', /VOYAGE_API_KEY/],
    [403, 'no', /VOYAGE_API_KEY .*EMBEDDING_MODEL/],
    [404, 'no', /"voyage-3.5-lite".*EMBEDDING_MODEL/],
    [400, 'Model voyage-3.5-lite is not supported. Supported models are [...].', /EMBEDDING_MODEL/],
  ])('says on %i (%s) which setting is to be changed', async (status, detail, advice) => {
    const { model } = await start([{ kind: 'error', status, detail }]);
    expect((await failure(model.embed(['x'], { inputType: 'document' }))).advice).toMatch(advice);
  });

  it('blames no setting for a request that is refused', async () => {
    const detail = "Argument 'input' is not supported by our API.";
    const { model } = await start([{ kind: 'error', status: 400, detail }]);
    expect((await failure(model.embed(['x'], { inputType: 'document' }))).advice).toBeUndefined();
  });

  it('fails at once on a wrong key', async () => {
    const fake = await startFakeVoyage();
    server = fake;
    const model = createVoyageModel({ apiKey: 'wrong', baseUrl: fake.url, retry: quick });
    const error = await failure(model.embed(['x'], { inputType: 'query' }));
    expect(error).toMatchObject({ retryable: false, status: 401 });
    expect(error.message).not.toContain('wrong');
  });

  it.each<[string, unknown]>([
    ['too few', [{ index: 0, embedding: new Array(512).fill(1) }]],
    ['the same index twice', [0, 0].map((index) => ({ index, embedding: new Array(512).fill(1) }))],
    ['an index out of range', [0, 2].map((index) => ({ index, embedding: new Array(512).fill(1) }))],
    ['text for numbers', [0, 1].map((index) => ({ index, embedding: new Array(512).fill('1') }))],
    ['null for numbers', [0, 1].map((index) => ({ index, embedding: new Array(512).fill(null) }))],
    ['only zeros', [0, 1].map((index) => ({ index, embedding: new Array(512).fill(0) }))],
    ['no objects', [null, null]],
  ])('refuses a reply with %s', async (_, data) => {
    const { fake, model } = await start([{ kind: 'data', data }]);
    expect((await failure(model.embed(['a', 'b'], { inputType: 'document' }))).retryable).toBe(false);
    expect(fake.requests).toHaveLength(1);
  });

  it('refuses vectors of another size', async () => {
    const { model } = await start([{ kind: 'dimensions', dimensions: 256 }]);
    const error = await failure(model.embed(['a'], { inputType: 'document' }));
    expect(error.message).toContain('256 numbers instead of 512');
  });

  it('stops a running request when it is aborted', async () => {
    const controller = new AbortController();
    const fake = await startFakeVoyage({
      script: () => {
        setImmediate(() => controller.abort(new Error('cancelled')));
        return { kind: 'stall' };
      },
    });
    server = fake;
    const model = createVoyageModel({ apiKey: 'test-key', baseUrl: fake.url, retry: quick });
    await expect(model.embed(['x'], { inputType: 'query', signal: controller.signal })).rejects.toThrow(
      'cancelled',
    );
    expect(fake.requests).toHaveLength(1);
  });

  it('waits for Retry-After, and an abort ends the wait at once', async () => {
    const controller = new AbortController();
    const retry = { attempts: 5, minDelayMs: 1, maxDelayMs: 60_000 };
    const fake = await startFakeVoyage({
      script: () => {
        setTimeout(() => controller.abort(new Error('cancelled')), 50);
        return { kind: 'error', status: 429, retryAfter: '60' };
      },
    });
    server = fake;
    const model = createVoyageModel({ apiKey: 'test-key', baseUrl: fake.url, retry });
    await expect(model.embed(['x'], { inputType: 'query', signal: controller.signal })).rejects.toThrow(
      'cancelled',
    );
    expect(fake.requests).toHaveLength(1);
  });

  it('stays below the limits of each model', () => {
    const limits = (model: string) => createVoyageModel({ apiKey: 'k', model }).limits;
    expect(limits('voyage-3.5-lite')).toEqual({
      inputsPerCall: 1_000,
      tokensPerCall: 600_000,
      tokensPerInput: 19_200,
    });
    expect(limits('voyage-3.5').tokensPerCall).toBe(192_000);
    expect(limits('voyage-3-large').tokensPerCall).toBe(72_000);
    expect(limits('constructor').tokensPerCall).toBe(72_000);
  });
});
