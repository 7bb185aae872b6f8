import { describe, expect, it } from 'vitest';
import { type EmbeddedBatch, embedBatches, planBatches } from '../../src/embeddings/batch.ts';
import { EmbeddingError } from '../../src/embeddings/model.ts';
import { fakeEmbeddingModel } from '../fakes/embedding-model.ts';

const limits = { inputsPerCall: 3, tokensPerCall: 100, tokensPerInput: 60 };

describe('planBatches', () => {
  it('ends a batch at the count or at the tokens, whichever comes first', () => {
    expect(planBatches([1, 1, 1, 1], limits)).toEqual([
      [0, 3],
      [3, 4],
    ]);
    expect(planBatches([60, 40, 1, 60], limits)).toEqual([
      [0, 2],
      [2, 4],
    ]);
  });

  it('loses no text and stays within the limits for any counts', () => {
    const counts = Array.from({ length: 200 }, (_, i) => (i * 37) % 61);
    const batches = planBatches(counts, limits);
    expect(batches.flatMap(([from, to]) => counts.slice(from, to))).toEqual(counts);
    for (const [from, to] of batches) {
      expect(to - from).toBeGreaterThan(0);
      expect(to - from).toBeLessThanOrEqual(3);
      expect(counts.slice(from, to).reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(100);
    }
  });

  it('has nothing to do for no texts', () => {
    expect(planBatches([], limits)).toEqual([]);
  });

  it('refuses a text that is too long by itself, for good', () => {
    expect(() => planBatches([1, 61], limits)).toThrow(EmbeddingError);
    expect(() => planBatches([1, 61], limits)).toThrow('Text 2 has 61 tokens');
  });
});

describe('embedBatches', () => {
  it('hands the batches over in order, each with where it begins', async () => {
    const model = fakeEmbeddingModel({ limits });
    const texts = ['one', 'two', 'three', 'four', 'five'];
    const batches: EmbeddedBatch[] = [];
    for await (const batch of embedBatches(model, texts, { inputType: 'document' })) batches.push(batch);
    expect(model.calls.map((call) => call.length)).toEqual([3, 2]);
    expect(batches.map(({ from }) => from)).toEqual([0, 3]);
    expect(batches.flatMap(({ vectors }) => vectors)).toEqual(texts.map((text) => model.vectorOf(text)));
  });

  it('stops between batches when it is aborted', async () => {
    const model = fakeEmbeddingModel({ limits });
    const controller = new AbortController();
    const { signal } = controller;
    const batches = embedBatches(model, ['a', 'b', 'c', 'd'], { inputType: 'document', signal });
    expect(await batches.next()).toMatchObject({ done: false });
    controller.abort(new Error('enough'));
    await expect(batches.next()).rejects.toThrow('enough');
    expect(model.calls).toHaveLength(1);
  });
});
