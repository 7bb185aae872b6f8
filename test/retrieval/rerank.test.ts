import { describe, expect, it } from 'vitest';
import { RerankError } from '../../src/reranking/model.ts';
import type { FoundPassage } from '../../src/retrieval/passage.ts';
import type { QuerySpent } from '../../src/retrieval/query-spending.ts';
import { createReranker, type RerankTerms } from '../../src/retrieval/rerank.ts';
import { rerankText } from '../../src/retrieval/rerank-text.ts';
import { countTokens } from '../../src/text/tokens.ts';
import { type FakeRerankModel, fakeRerankModel, silence } from '../fakes/rerank-model.ts';
import { passage } from '../helpers/copilot.ts';

const TERMS: RerankTerms = { candidates: 40, documentTokens: 256, timeoutMs: 10_000 };
const found = (id: string, overrides: Partial<FoundPassage> = {}): FoundPassage => ({
  ...passage(id, `Text of ${id}.`),
  evidence: {} as FoundPassage['evidence'],
  ...overrides,
});
const hits = ['a', 'b', 'c', 'd'].map((id, index) => found(id, { rank_score: 0.9 - index / 10, score: 0.4 }));
const ids = (list: readonly FoundPassage[]) => list.map(({ parent_id }) => parent_id).join('');
const order = async (model: FakeRerankModel, terms: Partial<RerankTerms> = {}, list = hits) =>
  createReranker(model, { ...TERMS, ...terms }).rerank('Who decides?', list, {});

describe('createReranker', () => {
  it('orders passages by its scores, and leaves confidences as they are', async () => {
    const { hits: ordered, report } = await order(fakeRerankModel(() => [0.1, 0.9, 0.4, 0.4]));
    expect(ids(ordered)).toBe('bcda');
    expect(ordered.map(({ score }) => score)).toEqual([0.4, 0.4, 0.4, 0.4]);
    expect(ordered.map(({ rank_score }) => rank_score)).toEqual(hits.map(({ rank_score }) => rank_score));
    expect(report).toEqual({ model: 'rerank-test', outcome: 'done', candidates: 4 });
  });

  it('tells place and score where an explanation was asked for', async () => {
    const explain = { promoted_by: 'x', leaves: [], rerank_rank: null, rerank_score: null };
    const explained = hits.map((hit) => ({ ...hit, explain }));
    const { hits: ordered } = await order(
      fakeRerankModel(() => [0.1, 9, 0.4, 0.2]),
      {},
      explained,
    );
    expect(ordered.map((hit) => [hit.explain?.rerank_rank, hit.explain?.rerank_score])).toEqual([
      [1, 9],
      [2, 0.4],
      [3, 0.2],
      [4, 0.1],
    ]);
  });

  it('reads no more than it may, and leaves those behind where they are', async () => {
    const model = fakeRerankModel((documents) => documents.map((_, index) => index));
    const { hits: ordered, report } = await order(model, { candidates: 2 });
    expect(ids(ordered)).toBe('bacd');
    expect(report?.candidates).toBe(2);
    const worths = ordered.map(({ rank_score }) => rank_score);
    expect(worths).toEqual(worths.toSorted((a, b) => b - a));
  });

  it('reads no more than a call has room for', async () => {
    const each = countTokens('Who decides?') + countTokens(rerankText(found('a'), 256));
    const model = fakeRerankModel((documents) => documents.map(() => 1), { tokensPerCall: 3 * each });
    await order(model);
    expect(model.calls[0]?.documents).toHaveLength(3);
  });

  it('keeps the order of what it hardly finds worth reading', async () => {
    const model = fakeRerankModel(() => [0.1, 0.2, 0.05, 0.9]);
    expect(ids((await order(model, { minScore: 0.3 })).hits)).toBe('dabc');
  });

  it('is not asked where there is nothing to order', async () => {
    const model = fakeRerankModel(() => [1]);
    expect(await order(model, {}, hits.slice(0, 1))).toMatchObject({ report: null });
    const reranker = createReranker(model, TERMS);
    expect(await reranker.rerank('  ', hits, {})).toMatchObject({ report: null });
    expect(model.calls).toEqual([]);
  });

  it('leaves the order as it is when it fails or is late, and tells so', async () => {
    let fallbacks = 0;
    const onFallback = () => void fallbacks++;
    const down = fakeRerankModel(() => {
      throw new RerankError({ message: 'down', retryable: true, status: 500 });
    });
    const failed = await order(down, { onFallback });
    expect([ids(failed.hits), failed.report?.outcome]).toEqual(['abcd', 'failed']);
    const late = await order(fakeRerankModel(silence), { onFallback, timeoutMs: 5 });
    expect([ids(late.hits), late.report?.outcome]).toEqual(['abcd', 'timeout']);
    expect(fallbacks).toBe(2);
  });

  it('is aborted with its search, and hides no fault of its own', async () => {
    const controller = new AbortController();
    const reranker = createReranker(fakeRerankModel(silence), TERMS);
    const asked = reranker.rerank('Who?', hits, { signal: controller.signal });
    controller.abort(new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
    const broken = fakeRerankModel(() => {
      throw new TypeError('a fault');
    });
    await expect(order(broken)).rejects.toThrow('a fault');
  });

  it('leaves a provider alone that asks for a pause, for as long as it asks', async () => {
    let now = 0;
    const model = fakeRerankModel(() => {
      if (model.calls.length > 1) return [0, 1, 2, 3];
      throw new RerankError({ message: 'slow', retryable: true, status: 429, retryAfterSeconds: 20 });
    });
    const reranker = createReranker(model, { ...TERMS, now: () => now });
    const outcome = async () => (await reranker.rerank('Who?', hits, {})).report?.outcome;
    expect(await outcome()).toBe('failed');
    now = 19_999;
    expect(await outcome()).toBe('paused');
    now = 20_000;
    expect(await outcome()).toBe('done');
    expect(model.calls).toHaveLength(2);
  });

  it('keeps pauses that other instances were asked for, and tells them of its own', async () => {
    const told: number[] = [];
    const shared = { pause: async (ms: number) => void told.push(ms), pausedMs: async () => 7_000 };
    const model = fakeRerankModel(() => {
      throw new RerankError({ message: 'slow', retryable: true, status: 429 });
    });
    const reranker = createReranker(model, { ...TERMS, shared, now: () => 5_000 });
    const outcome = async () => (await reranker.rerank('Who?', hits, {})).report?.outcome;
    // it looks beside the first call
    expect(await outcome()).toBe('failed');
    expect(told).toEqual([1_000]);
    expect(await outcome()).toBe('paused');
  });

  it('lets nobody wait for a reranker that has just failed twice', async () => {
    let now = 0;
    const model = fakeRerankModel(silence);
    const reranker = createReranker(model, { ...TERMS, timeoutMs: 1, now: () => now });
    const outcome = async () => (await reranker.rerank('Who?', hits, {})).report?.outcome;
    expect([await outcome(), await outcome(), await outcome()]).toEqual(['timeout', 'timeout', 'paused']);
    now = 5_000;
    expect([await outcome(), await outcome()]).toEqual(['timeout', 'paused']);
  });

  it('books each call that came through', async () => {
    const spent: QuerySpent[] = [];
    const reranker = createReranker(
      fakeRerankModel(() => [1, 2, 3, 4]),
      TERMS,
    );
    await reranker.rerank('Who?', hits, { onSpent: (call) => spent.push(call) });
    expect(spent).toEqual([
      { phase: 'rerank', model: 'rerank-test', provider: 'cohere', tokens: 4, calls: 1 },
    ]);
  });
});

describe('rerankText', () => {
  const words = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `word${from + index}`).join(' ');
  const text = `${words(0, 300)} THE LEAF IS HERE ${words(300, 600)}`;
  const start = text.indexOf('THE');
  const leaf = { leaf_id: 'l', rank_score: 1, char_start: 1_000 + start, char_end: 1_016 + start, text: '' };
  const long = passage('f', text, { char_start: 1_000, matched_leaves: [leaf] });

  it('has the headings, the leaf and what stands around it, within its limit', () => {
    const cut = rerankText(long, 100);
    expect(cut).toMatch(/^f\.md\]\n/);
    expect(cut).toContain('word299 THE LEAF IS HERE word300');
    expect(cut).not.toContain('word0 ');
    expect(countTokens(cut)).toBeLessThanOrEqual(100);
  });

  it('is the whole section where that fits', () => {
    expect(rerankText(passage('f', 'A short one.'), 100)).toBe('f.md]\nA short one.');
  });

  it('is the beginning of a section that was read and not found', () => {
    expect(rerankText({ ...long, matched_leaves: [] }, 50)).toContain('word0 word1');
  });

  it('cuts a leaf that is too long, and headings that would leave no room for it', () => {
    const whole = { ...leaf, char_start: 1_000, char_end: 1_000 + text.length };
    const cut = rerankText({ ...long, context_header: words(0, 500), matched_leaves: [whole] }, 60);
    expect(countTokens(cut)).toBeLessThanOrEqual(60);
    expect(cut.split('\n')[1]).toMatch(/^word0 word1 /);
  });
});
