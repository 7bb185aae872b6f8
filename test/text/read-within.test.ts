import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWithin } from '../../src/text/read-within.ts';
import { countTokens } from '../../src/text/tokens.ts';

const whole = (text: string) => ({ start: 0, end: text.length });

describe('reading within so many tokens', () => {
  it('stops at the end of a line', () => {
    const text = 'One two three.\nFour five six.\nSeven eight nine.\n';
    const { end, tokens } = readWithin(
      text,
      whole(text),
      countTokens('One two three.\nFour five six.\n') + 1,
    );
    expect(text.slice(0, end)).toBe('One two three.\nFour five six.\n');
    expect(tokens).toBeLessThanOrEqual(countTokens('One two three.\nFour five six.\n') + 1);
  });

  it('stops at a word where the first line is too long by itself', () => {
    const text = 'alpha beta gamma delta epsilon';
    const { end } = readWithin(text, whole(text), 3);
    expect(text.slice(0, end)).toMatch(/^alpha( \w+)* $/);
    expect(end).toBeLessThan(text.length);
  });

  it('gives a word at least, and stays inside the stretch', () => {
    const text = 'alpha beta gamma';
    expect(readWithin(text, whole(text), 1).end).toBeGreaterThan(0);
    expect(readWithin(text, { start: 6, end: 10 }, 1_000)).toEqual({ end: 10, tokens: countTokens('beta') });
    expect(readWithin(text, { start: 16, end: 16 }, 10)).toEqual({ end: 16, tokens: 0 });
  });

  it('reads any text on to its end, without loss and without cutting a character', () => {
    const texts = fc.array(
      fc.oneof(
        fc.lorem(),
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('\n', '漢字'.repeat(60), '😀'.repeat(50)),
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 60 }), (parts, maxTokens) => {
        const text = parts.join(' ');
        const slices: string[] = [];
        for (let start = 0; start < text.length; ) {
          const { end, tokens } = readWithin(text, { start, end: text.length }, maxTokens);
          expect(end).toBeGreaterThan(start);
          const slice = text.slice(start, end);
          expect(slice.isWellFormed()).toBe(true);
          // more than asked for only where a single step (32 characters and their blanks) is
          if (slice.trimEnd().length > 64) expect(tokens).toBeLessThanOrEqual(maxTokens);
          slices.push(slice);
          start = end;
        }
        expect(slices.join('')).toBe(text);
      }),
      { numRuns: 100 },
    );
  });

  it('takes a megabyte on one line in its stride', () => {
    const text = 'x'.repeat(1_000_000);
    const { end } = readWithin(text, whole(text), 50);
    expect(end).toBeGreaterThan(50);
    expect(end).toBeLessThan(5_000);
  });
});
