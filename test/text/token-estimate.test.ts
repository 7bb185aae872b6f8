import { describe, expect, it } from 'vitest';
import { estimateTokens, tokenEstimator } from '../../src/text/token-estimate.ts';
import { countTokens } from '../../src/text/tokens.ts';
import { paragraphs } from '../helpers/prose.ts';

describe('the estimate of tokens', () => {
  it.each([
    ['prose', paragraphs(1, 20)],
    [
      'YAML',
      Array.from({ length: 200 }, (_, i) => `  key${i}:\n    type: string\n    default: ${i}\n`).join(''),
    ],
    [
      'JSON',
      JSON.stringify(
        Array.from({ length: 100 }, (_, i) => ({ id: i, name: `Item ${i}`, open: true })),
        null,
        2,
      ),
    ],
    ['Chinese', '我们需要一个更好的方案来解决这个问题。'.repeat(50)],
  ])('is less than a quarter off for %s', (_, text) => {
    expect(estimateTokens(text) / countTokens(text)).toBeGreaterThan(0.75);
    expect(estimateTokens(text) / countTokens(text)).toBeLessThan(1.25);
  });

  it('is the same for a stretch, wherever it stands', () => {
    const stretch = paragraphs(2, 2);
    const text = `${paragraphs(3, 3)}\n\n${stretch}\n\n${paragraphs(4, 1)}`;
    const start = text.indexOf(stretch);
    const of = tokenEstimator(text);
    expect(Math.abs(of(start, start + stretch.length) - estimateTokens(stretch))).toBeLessThanOrEqual(1);
    expect(of(0, text.length)).toBe(Math.round(of(0, start) + of(start, text.length)));
    expect([of(5, 5), of(0, 1)]).toEqual([0, 1]);
  });
});
