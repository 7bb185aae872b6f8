import { describe, expect, it } from 'vitest';
import { costUsd } from '../../src/llm/pricing.ts';

describe('costUsd', () => {
  it('prices plain, cached and written input and output apart', () => {
    const usage = { inputTokens: 10_000, cachedTokens: 6_000, cacheWriteTokens: 3_000, outputTokens: 500 };
    // 1,000 at 3, 3,000 at 3.75, 6,000 at 0.30 and 500 at 15 USD a million
    expect(costUsd('claude-sonnet-4-5', usage)).toBeCloseTo(0.003 + 0.01125 + 0.0018 + 0.0075, 10);
    expect(costUsd('claude-haiku-4-5', usage)).toBeCloseTo((0.003 + 0.01125 + 0.0018 + 0.0075) / 3, 10);
  });

  it('gives a dated model the price of its undated name', () => {
    expect(costUsd('claude-haiku-4-5-20251001', { inputTokens: 1_000_000 })).toBe(1);
  });

  it('prices embeddings by the tokens read, and what runs here at nothing', () => {
    expect(costUsd('voyage-3.5-lite', { inputTokens: 1_000_000 })).toBeCloseTo(0.02, 10);
    expect(costUsd('offline', { inputTokens: 5_000, outputTokens: 5_000 })).toBe(0);
  });

  it('does not guess the price of a model that it does not know', () => {
    expect(costUsd('claude-next', { inputTokens: 1 })).toBeNull();
    expect(costUsd('constructor', { inputTokens: 1 })).toBeNull();
  });
});
