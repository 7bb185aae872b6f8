import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { embedWithCache, queryInput } from '../../src/services/embedding-cache.ts';
import { fakeEmbeddingModel } from '../fakes/embedding-model.ts';
import { openTestDatabase } from '../helpers/database.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(async () => {
  await db.close();
});
beforeEach(async () => {
  await db.query('delete from embedding_cache');
});

const inputs = (...texts: string[]) => texts.map((text) => ({ hash: `hash of ${text}`, text }));
const document = { inputType: 'document' } as const;

describe('embedWithCache', () => {
  it('embeds only what was not embedded before', async () => {
    const model = fakeEmbeddingModel();
    const first = await embedWithCache(db, model, inputs('alpha', 'beta'), document);
    expect(first).toMatchObject({ embedded: 2, reused: 0, tokens: 2 });
    const second = await embedWithCache(db, model, inputs('beta', 'gamma', 'alpha'), document);
    expect(second).toMatchObject({ embedded: 1, reused: 2, tokens: 1 });
    expect(model.calls).toEqual([['alpha', 'beta'], ['gamma']]);
    expect(second.vectors).toEqual(['beta', 'gamma', 'alpha'].map(model.vectorOf));
  });

  it('embeds equal inputs once', async () => {
    const model = fakeEmbeddingModel();
    const result = await embedWithCache(db, model, inputs('same', 'same', 'other'), document);
    expect(model.calls).toEqual([['same', 'other']]);
    expect(result).toMatchObject({ embedded: 2, reused: 1 });
    expect(result.vectors).toEqual(['same', 'same', 'other'].map(model.vectorOf));
  });

  it('keeps models and dimensions apart', async () => {
    await embedWithCache(db, fakeEmbeddingModel({ id: 'a' }), inputs('text'), document);
    const otherModel = fakeEmbeddingModel({ id: 'b' });
    const otherSize = fakeEmbeddingModel({ id: 'a', dimensions: 256 });
    expect(await embedWithCache(db, otherModel, inputs('text'), document)).toMatchObject({ embedded: 1 });
    expect(await embedWithCache(db, otherSize, inputs('text'), document)).toMatchObject({ embedded: 1 });
  });

  it('keeps a question too, apart from the same text in a document', async () => {
    const model = fakeEmbeddingModel();
    const query = { inputType: 'query' } as const;
    await embedWithCache(db, model, inputs('question'), document);
    const asked = [queryInput('question')];
    expect(await embedWithCache(db, model, asked, query)).toMatchObject({ embedded: 1, reused: 0 });
    expect(await embedWithCache(db, model, asked, query)).toMatchObject({ embedded: 0, reused: 1, calls: 0 });
  });

  it('keeps the batches that arrived when a later one fails', async () => {
    const limits = { inputsPerCall: 2, tokensPerCall: 1_000, tokensPerInput: 100 };
    const failing = fakeEmbeddingModel({
      limits,
      fail: (call) => {
        if (call === 1) throw new Error('provider down');
      },
    });
    const texts = inputs('a', 'b', 'c', 'd');
    await expect(embedWithCache(db, failing, texts, document)).rejects.toThrow('provider down');
    expect(await embedWithCache(db, fakeEmbeddingModel({ limits }), texts, document)).toMatchObject({
      embedded: 2,
      reused: 2,
    });
  });

  it('counts what is reused as done', async () => {
    const limits = { inputsPerCall: 1, tokensPerCall: 1_000, tokensPerInput: 100 };
    const model = fakeEmbeddingModel({ limits });
    await embedWithCache(db, model, inputs('a'), document);
    const progress: number[][] = [];
    await embedWithCache(db, model, inputs('a', 'b', 'c'), {
      ...document,
      onProgress: (done, total) => progress.push([done, total]),
    });
    expect(progress).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });

  it('does nothing for no inputs', async () => {
    const model = fakeEmbeddingModel();
    const empty = { vectors: [], embedded: 0, reused: 0, calls: 0, tokens: 0 };
    expect(await embedWithCache(db, model, [], document)).toEqual(empty);
    expect(model.calls).toEqual([]);
  });
});
