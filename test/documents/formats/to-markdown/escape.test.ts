import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { escapeText, linkDestination } from '../../../../src/documents/formats/to-markdown/escape.ts';

const parser = new MarkdownIt({ html: true });

/** The text that a CommonMark parser reads, or undefined if it sees anything but one paragraph of text. */
function readBack(markdown: string): string | undefined {
  const tokens = parser.parse(markdown, {});
  if (tokens.length !== 3 || tokens[0]?.type !== 'paragraph_open') return undefined;
  const inline = tokens[1]?.children ?? [];
  return inline.every((token) => token.type === 'text' || token.type === 'text_special')
    ? inline.map((token) => token.content).join('')
    : undefined;
}

const PIECES = [
  ...'*_`~[]()<>#+-=!|&;:.\\/"\'$^{}1'.split(''),
  'a',
  'é',
  '漢',
  ' ',
  ' ',
  'word',
  '**',
  '__',
  '~~',
  '](',
  ']:',
  '&amp;',
  '&#35;',
  '<b>',
  '</b>',
  '<!--',
  'http://x.y',
  '1.',
  '[^1]',
];
const marked = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 })
  .map((pieces) => pieces.join('').replace(/\s+/g, ' ').trim())
  .filter((text) => text !== '');

describe('escapeText', () => {
  it('makes a CommonMark parser read any text as that text', () => {
    fc.assert(
      fc.property(marked, (text) => {
        expect(readBack(escapeText(text))).toBe(text);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    'snake_case_name',
    '5 * 3 = 15',
    'see [1] and [a]',
    'C:\\Users\\me',
    'AT&T',
    'a < b',
    '$5',
    'x|y',
    '2.5 m',
    '~5',
  ])('leaves %s as it is', (text) => expect(escapeText(text)).toBe(text));

  it('escapes a line that would make a table of itself and the line before', () => {
    expect(['--- | ---', ':-- | --:', '|---|'].map(escapeText)).toEqual([
      '\\--- | ---',
      '\\:-- | --:',
      '\\|---|',
    ]);
  });

  it('escapes what begins a block', () => {
    expect(['# a', '- a', '+ a', '> a', '1. a', '2) a', '---', '===', '***'].map(escapeText)).toEqual([
      '\\# a',
      '\\- a',
      '\\+ a',
      '\\> a',
      '1\\. a',
      '2\\) a',
      '\\---',
      '\\===',
      '\\*\\*\\*',
    ]);
  });
});

describe('linkDestination', () => {
  it('keeps an address in one piece', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...'ab/()<> \\?&=#%'.split('')), { minLength: 1, maxLength: 10 }),
        (letters) => {
          const tokens =
            parser.parseInline(`[x](http://h/${linkDestination(letters.join(''))}end)`, {})[0]?.children ??
            [];
          expect(tokens[0]?.type).toBe('link_open');
          expect(tokens).toHaveLength(3);
        },
      ),
    );
  });
});
