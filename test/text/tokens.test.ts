import fc from 'fast-check';
import { countTokens as reference } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { countTokens } from '../../src/text/tokens.ts';

const expected = (text: string) => reference(text, { disallowedSpecial: new Set() });

describe('countTokens', () => {
  it.each([
    ['', 0],
    ['hello world', 2],
    ["It's 12345 o'clock -- isn't it?", expected("It's 12345 o'clock -- isn't it?")],
    [
      '| a | b |\r\n|---|---|\r\n\r\n\r\n\t- x/y//\n/z',
      expected('| a | b |\r\n|---|---|\r\n\r\n\r\n\t- x/y//\n/z'),
    ],
    ['“Größe” – 中文句子。 👍🏽 e\u0301', expected('“Größe” – 中文句子。 👍🏽 e\u0301')],
  ])('counts %j', (text, tokens) => {
    expect(countTokens(text)).toBe(tokens);
  });

  it('counts what looks like a special token as text', () => {
    expect(countTokens('<|endoftext|>')).toBe(expected('<|endoftext|>'));
    expect(countTokens('<|endoftext|>')).toBeGreaterThan(1);
  });

  it('agrees with the tokenizer on any mixture of scripts, spaces and punctuation', () => {
    const part = fc.oneof(
      fc.constantFrom(
        ' ',
        '  ',
        '\n',
        '\r\n',
        '\r',
        '\t',
        '/',
        '\u00a0',
        '\u3000',
        '’',
        'é',
        '中文',
        '。',
        '👍',
      ),
      fc.constantFrom(
        '\ud800',
        "'s",
        "'LL",
        "'re",
        '(',
        '|',
        '\0',
        '\v',
        '\x1c',
        '٣',
        'ǅ',
        '\u0301',
        '\ufeff',
      ),
      fc.constantFrom('Hello', 'WORLD', 'XMLHttp', '4567', 'supercalifragilistic'),
      fc.string({ maxLength: 4 }),
    );
    const text = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (value) => countTokens(value) === expected(value)),
      { numRuns: 500 },
    );
  });

  it.each(['a', ' ', '\n', '中', '👍', '=-', '’a', '\u3000'])(
    'takes a very long run of %j in pieces',
    (run) => {
      const text = run.repeat(200_000);
      expect(countTokens(text)).toBeGreaterThan(100);
      expect(countTokens(text)).toBeLessThanOrEqual(Buffer.byteLength(text));
    },
  );
});
