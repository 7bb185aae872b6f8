import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withoutCode } from '../../src/text/without-code.ts';

/** The same in one pattern, which takes the square of the time for what has no blanks. */
const CODE = /`[^`\n]*`|https?:\/\/\S+|<[^>\n]{1,200}>|\S*[\\/_{}=<>@#]\S*/g;

it.each([
  ['see src/main.ts now', 'see   now'],
  ['set `the value of it` here', 'set   here'],
  ['set the`value of it`here', 'set the here'],
  ['a`b c/d` e', 'a  e'],
  ['a`b/c` d', '  d'],
  ['at https://example.com/x?y, and', 'at   and'],
  ['a <b class="c d"> e', 'a   e'],
  ['an `open one', 'an `open one'],
  ['東京都庁の予算', '東京都庁の予算'],
  ['', ''],
])('has the prose of %j', (text, prose) => {
  expect(withoutCode(text)).toBe(prose);
});

it('takes away what one pattern would', () => {
  const pieces = [
    'a',
    'die',
    ' ',
    '  ',
    '\n',
    '`',
    '<',
    '>',
    '/',
    '_',
    'https://',
    '東京',
    '😀',
    '\u00a0',
    '=',
  ];
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((all) => all.join(''));
  fc.assert(
    fc.property(text, (of) => withoutCode(of) === of.replace(CODE, ' ')),
    { numRuns: 2_000, seed: 7 },
  );
});
