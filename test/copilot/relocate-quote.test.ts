import { describe, expect, it } from 'vitest';
import { nearestPlace, relocateQuote } from '../../src/copilot/relocate-quote.ts';

const TEXT = 'Churn is 4 %. Nobody knows why. Churn is 4 %. Dana decides.';

describe('relocateQuote', () => {
  it.each([
    ['stands where it stood', 'Churn is 4 %.', 32, { status: 'valid', charStart: 32, matches: 2 }],
    ['has moved', 'Dana decides.', 3, { status: 'moved', charStart: 46, charEnd: 59, matches: 1 }],
    ['is nearest at the first place', 'Churn is 4 %.', 5, { status: 'moved', charStart: 0, matches: 2 }],
    ['is nearest at the last place', 'Churn is 4 %.', 31, { status: 'moved', charStart: 32, matches: 2 }],
    ['lies beyond the end now', 'Dana decides.', 9_999, { status: 'moved', charStart: 46 }],
    ['is not there', 'Dana decided.', 46, { status: 'changed', charStart: null, charEnd: null, matches: 0 }],
  ])('finds a quote that %s', (_what, quote, was, expected) => {
    expect(relocateQuote(TEXT, quote, was)).toMatchObject(expected);
  });

  it('finds the old place among more matches than it counts', () => {
    const text = 'a'.repeat(100_000);
    expect(relocateQuote(text, 'aa', 77_777)).toEqual({
      status: 'valid',
      charStart: 77_777,
      charEnd: 77_779,
      matches: 1_000,
    });
    expect(relocateQuote(`${text}b${text}b`, 'ab', 100_100).charStart).toBe(99_999);
  });
});

describe('nearestPlace', () => {
  const place = (charStart: number, ...headerPath: string[]) => ({ charStart, headerPath });
  const places = [place(0, 'A'), place(10, 'A', 'B'), place(20, 'A', 'B'), place(90, 'C')];

  it.each([
    [['A', 'B'], 14, 10],
    [['A', 'B'], 16, 20],
    [['A', 'B', 'gone'], 99, 20],
    [['C'], 0, 90],
    [['gone'], 4, 0],
    [[], 80, 90],
  ])('takes %j, that was at %i, to the section at %i', (path, was, expected) => {
    expect(nearestPlace(places, path, was)?.charStart).toBe(expected);
  });

  it('knows none where there is none', () => {
    expect(nearestPlace([], ['A'], 0)).toBeNull();
  });
});
