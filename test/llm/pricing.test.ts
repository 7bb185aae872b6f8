import { describe, expect, it } from 'vitest';
import { costUsd } from '../../src/llm/pricing.ts';

describe('costUsd', () => {
  it('prices plain, cached and written input and output apart', () => {
    const usage = { inputTokens: 10_000, cachedTokens: 6_000, cacheWriteTokens: 3_000, outputTokens: 500 };
    // 1,000 at 3, 3,000 at 3.75, 6,000 at 0.30 and 500 at 15 USD a million
    expect(costUsd('claude-sonnet-4-5', usage)).toBeCloseTo(0.003 + 0.01125 + 0.0018 + 0.0075, 10);
    expect(costUsd('claude-haiku-4-5', usage)).toBeCloseTo((0.003 + 0.01125 + 0.0018 + 0.0075) / 3, 10);
  });

  it('knows that reading from the cache is cheaper still for some models', () => {
    const usage = { inputTokens: 1_000_000, cachedTokens: 1_000_000 };
    expect(costUsd('claude-sonnet-5-5', usage)).toBeCloseTo(0.1, 10);
    expect(costUsd('claude-opus-5-5', usage)).toBeCloseTo(0.2, 10);
    expect(costUsd('claude-sonnet-5', usage)).toBeCloseTo(0.2, 10);
  });

  it('prices a call by the length of its prompt, cached tokens included', () => {
    const cost = (inputTokens: number, calls?: number) =>
      costUsd(
        'claude-haiku-5-5',
        { inputTokens, cachedTokens: 40_000, cacheWriteTokens: 20_000, outputTokens: 1_000 },
        calls,
      );
    // 40,000 at 0.10, 20,000 at 0.125, 40,000 at 0.01 and 1,000 at 0.50 USD a million
    expect(cost(100_000)).toBeCloseTo(0.004 + 0.002_5 + 0.000_4 + 0.000_5, 10);
    expect(cost(100_001)).toBeCloseTo(5 * (0.004 + 0.002_5 + 0.000_4 + 0.000_5), 6);
    expect(cost(100_001, 2)).toBeCloseTo(0.004 + 0.002_5 + 0.000_4 + 0.000_5, 6);
  });

  it('gives a dated model the price of its undated name', () => {
    expect(costUsd('claude-haiku-4-5-20251001', { inputTokens: 1_000_000 })).toBe(1);
  });

  it('prices embeddings by the tokens read, and what runs here at nothing', () => {
    expect(costUsd('voyage-3.5-lite', { inputTokens: 1_000_000 })).toBeCloseTo(0.02, 10);
    expect(costUsd('offline', { inputTokens: 5_000, outputTokens: 5_000 })).toBe(0);
    expect(costUsd('local/tiny@0123abcd', { inputTokens: 5_000 })).toBe(0);
  });

  it('does not guess the price of a model that it does not know', () => {
    expect(costUsd('claude-next', { inputTokens: 1 })).toBeNull();
    expect(costUsd('constructor', { inputTokens: 1 })).toBeNull();
  });
});
