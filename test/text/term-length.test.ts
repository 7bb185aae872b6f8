import fc from 'fast-check';
import { expect, it } from 'vitest';
import { analyseQuery, lookedUp } from '../../src/text/asked-terms.ts';
import { LANGUAGES, type TextLanguage } from '../../src/text/languages.ts';
import { countTerms } from '../../src/text/postings.ts';
import { storedTerm } from '../../src/text/terms.ts';

const MOST = 64;
/** An index row takes 2,704 bytes, of which the other columns of its key have their part. */
const MOST_BYTES = 3 * MOST;
const ALL_LANGUAGES: TextLanguage[] = [null, ...LANGUAGES];

const filled = (piece: string, length = 32_000): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** The term of its language without its mark. */
const unmarked = (term: string, language: TextLanguage): string =>
  term.slice(storedTerm('', language).length);

function expectShortTerms(text: string, languages: readonly TextLanguage[] = ALL_LANGUAGES): void {
  for (const language of languages) {
    const stored = [
      ...countTerms({ leafIndex: 0, text, breadcrumb: text, context: text }, language).frequencies,
    ];
    const asked = lookedUp(analyseQuery(text.slice(0, 4_000), [language]));
    const terms = [...stored.map(([term]) => term), ...asked].filter((term) => !term.startsWith('@'));
    const longest = terms.map((term) => unmarked(term, language)).filter((term) => term.length > MOST);
    expect({ language, longest }).toEqual({ language, longest: [] });
    expect(terms.filter((term) => Buffer.byteLength(unmarked(term, language)) > MOST_BYTES)).toEqual([]);
  }
}

it.each([
  ['digits in groups, with blanks', `7 ${filled('482 ')}`],
  ['digits in groups, with points', `1${filled('.234')}`],
  ['digits in groups, with points, and decimals', `1${filled('.234', 400)},${filled('5', 31_000)}`],
  ['digits in groups, with commas', `1${filled(',234')}`],
  ['digits in groups, with apostrophes', `1${filled("'234")}`],
  ['digits before decimals', `${filled('9')},5`],
  ['digits that are thousands', `${filled('9')}k and ${filled('9', 200)}k`],
  ['digits that are thousands, with decimals', `1.${filled('9')}k`],
  ['digits', filled('9')],
  ['a long word', filled('Donaudampfschifffahrt')],
  ['a long word that ends as verbs do', `${filled('u')}ing`],
  ['letters that are two without their ligature', filled('æœßþ')],
  ['ligatures, cut and not', `${'ß'.repeat(64)} ${'Æ'.repeat(63)}x ${filled('ﬃﷺ')}`],
  ['letters that are longer in lower case', `${'İ'.repeat(64)}a ${filled('İ')}`],
  ['humps', `a${filled('İb', 63)} ${filled('ßA', 64)}`],
  ['marks', filled('e\u0301\u0302\u0303')],
  ['base64', filled('TWFueSBoYW5kcyBtYWtlIGxpZ2h0IHdvcms')],
  ['hyphens and points', filled('a-b.c_')],
  ['a script without blanks', filled('売上が落ちた')],
  ['characters of two units', filled('𝒳𠀀')],
  ['dates', filled('2025-03-03 3 March 2025 ')],
])('has no term that is too long of %s', (_, text) => {
  expectShortTerms(text, [null, 'de']);
});

it('has none of any text', () => {
  const pieces = [
    '482 ',
    '.234',
    ',234',
    "'",
    '’',
    '-',
    '_',
    '9',
    'k',
    ',5',
    'ß',
    'œ',
    'İ',
    'a',
    'ing',
    'ﬃ',
    '売',
  ];
  const piece = fc.tuple(fc.constantFrom(...pieces), fc.integer({ min: 1, max: 120 }));
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), (all) => {
      expectShortTerms(all.map(([of, times]) => of.repeat(times)).join(''));
    }),
    { numRuns: 40, seed: 7 },
  );
});
