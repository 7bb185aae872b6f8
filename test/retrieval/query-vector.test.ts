import { describe, expect, it } from 'vitest';
import { EmbeddingError } from '../../src/embeddings/model.ts';
import { blendVectors, createQueryEmbedder } from '../../src/retrieval/query-vector.ts';
import { createFakeEmbeddingModel } from '../fakes/embedding-model.ts';

describe('createQueryEmbedder', () => {
  it('asks the model once for the same text, until others have pushed it out', async () => {
    const model = createFakeEmbeddingModel();
    const embedder = createQueryEmbedder(model, { cacheSize: 2 });
    for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) await embedder.embed(text);
    expect(model.calls).toEqual([['a'], ['b'], ['c'], ['b']]);
  });

  it('tells what a call cost, and nothing where none was needed', async () => {
    const model = createFakeEmbeddingModel();
    const embedder = createQueryEmbedder(model);
    const spent: number[] = [];
    const ask = (text: string) => embedder.embed(text, undefined, ({ tokens }) => spent.push(tokens));
    embedder.remember('known', model.vectorOf('known'));
    expect(await ask('known')).toEqual(model.vectorOf('known'));
    await ask('budget');
    await ask('budget');
    model.failWith(new EmbeddingError('down', { retryable: true }));
    expect(await ask('other')).toBeNull();
    expect(spent).toEqual([1]);
    expect(model.calls).toEqual([['budget'], ['other']]);
  });

  it('looks once whether its vectors still count for all that is asked at the same time, and again later', async () => {
    const looks: boolean[] = [];
    const embedder = createQueryEmbedder(createFakeEmbeddingModel(), {
      isInForce: async () => looks.push(true) < 2,
    });
    expect(await Promise.all([embedder.embed('a'), embedder.embed('b')])).not.toContain(null);
    expect(looks).toHaveLength(1);
    expect(await embedder.embed('a')).toBeNull();
    expect(looks).toHaveLength(2);
  });

  it('gives null while the provider fails, and a vector again afterwards', async () => {
    const model = createFakeEmbeddingModel();
    const embedder = createQueryEmbedder(model);
    model.failWith(new EmbeddingError('down', { retryable: true }));
    expect(await embedder.embed('budget')).toBeNull();
    model.failWith(undefined);
    expect(await embedder.embed('budget')).toEqual(model.vectorOf('budget'));
  });

  it('gives null for a text without anything in it, without asking', async () => {
    const model = createFakeEmbeddingModel();
    expect(await createQueryEmbedder(model).embed(' \n')).toBeNull();
    expect(model.calls).toEqual([]);
  });

  it('rejects when it is aborted', async () => {
    const model = createFakeEmbeddingModel();
    model.failWith(new EmbeddingError('aborted', { retryable: false }));
    const abort = new AbortController();
    const reason = new Error('enough');
    const embedding = createQueryEmbedder(model).embed('budget', abort.signal);
    abort.abort(reason);
    await expect(embedding).rejects.toBe(reason);
  });

  it('says how far its model is to be trusted', () => {
    const model = createFakeEmbeddingModel();
    expect(createQueryEmbedder(model).calibration).toBe(model.calibration);
  });
});

describe('blendVectors', () => {
  const x = Float32Array.of(1, 0);
  const y = Float32Array.of(0, 1);

  it('lies between the two, at unit length', () => {
    const [first, second] = blendVectors(x, y, 0.25);
    expect(first).toBeCloseTo(3 / Math.sqrt(10));
    expect(second).toBeCloseTo(1 / Math.sqrt(10));
  });

  it('is the first where the two cancel each other out', () => {
    expect(blendVectors(x, Float32Array.of(-1, 0), 0.5)).toEqual(x);
  });
});
