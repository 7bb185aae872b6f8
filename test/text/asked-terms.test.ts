import { describe, expect, it, vi } from 'vitest';
import { analyseQuery, lookedUp, queryWords, termsAsked } from '../../src/text/asked-terms.ts';
import * as rules from '../../src/text/languages.ts';
import { LANGUAGES, type TextLanguage } from '../../src/text/languages.ts';

const EVERY: TextLanguage[] = [null, ...LANGUAGES];

const asked = (text: string, language: TextLanguage = null) =>
  analyseQuery(text, [null, 'de', 'fr'])
    .filter((term) => term.language === language)
    .map(({ terms }) => terms[0]);

describe('analyseQuery', () => {
  it('asks for the telling words only, and counts them', () => {
    const terms = analyseQuery('What is the budget of the Budget team?');
    expect(terms.map((term) => [...term.terms, term.times])).toEqual([
      ['budget', 2],
      ['team', 1],
    ]);
  });

  it('asks for stop words when there is nothing else', () => {
    expect(asked('to be or not to be')).toEqual(['to', 'be', 'or', 'not']);
  });

  it('asks for nothing when there are no words', () => {
    expect(analyseQuery('?! …', [null, 'de'])).toEqual([]);
  });

  it('is bounded for a pasted page', () => {
    const page = Array.from({ length: 2_000 }, (_, index) => `word${index}`).join(' ');
    expect(analyseQuery(page)).toHaveLength(256);
  });

  describe('of a pasted page, in a project of many languages', () => {
    const page = (write: (index: number) => string) =>
      Array.from({ length: 800 }, (_, n) => write(n)).join(' ');

    it.each([
      ['words', page((n) => `word${n}`)],
      ['accented words', page((n) => `wörd${'é'.repeat(n % 7)}${'abcdefghij'.charAt(n % 10)}x`)],
      ['thousands', page((n) => `${n}k`)],
      ['numbers', page((n) => `1.${100 + (n % 900)},5`)],
      ['dates', page((n) => `${1 + (n % 28)}.${1 + (n % 12)}.${1900 + (n % 150)}`)],
      ['an identifier', page((n) => `word${n}`).replaceAll(' ', '_')],
      ['characters', page((n) => String.fromCodePoint(0x4e00 + 7 * n)).replaceAll(' ', '')],
    ])('is bounded all the same: %s', (_, text) => {
      const stemmed = vi.spyOn(rules, 'stemsOf');
      const terms = analyseQuery(text, EVERY);
      const distinct = new Set(stemmed.mock.calls.map((call) => call.join(' ')));
      expect(lookedUp(terms).length).toBeLessThanOrEqual(1_024);
      expect(lookedUp(terms).length).toBeGreaterThan(500);
      expect(new Set(terms.map(({ language }) => language))).toEqual(new Set(EVERY));
      expect(distinct.size).toBeGreaterThan(500);
      // each word once for each language
      expect(stemmed).toHaveBeenCalledTimes(distinct.size);
      expect(queryWords(text, EVERY).flatMap((word) => [...word.terms.values()]).length).toBeLessThan(1_025);
      stemmed.mockRestore();
    });

    it('still asks for its dates', () => {
      const terms = analyseQuery(`${page((n) => `word${n}`)} on 3 March 2025`, EVERY);
      expect(lookedUp(terms)).toContain('@2025-03-03');
    });
  });

  it('asks the texts of each language in their stems', () => {
    expect(asked('Genehmigungen einreichen')).toEqual(['genehmigungen', 'einreichen']);
    expect(asked('Genehmigungen einreichen', 'de')).toEqual(['de:genehm', 'de:einreich']);
  });

  it('asks for a word without its accents, too', () => {
    const [term] = analyseQuery('sécurité', ['fr']);
    expect(term?.terms).toEqual(['fr:secur', 'fr:securit']);
  });

  it('knows what its words are in the other languages', () => {
    const [term] = analyseQuery('Noten', [null, 'de']);
    expect(term).toMatchObject({ terms: ['noten'], elsewhere: ['de:not'] });
    expect(lookedUp(analyseQuery('Noten', [null, 'de']))).toEqual(['noten', 'de:not']);
  });

  it('drops the function words of the language that the question is in', () => {
    expect(asked('Wie hoch ist das Budget?')).toEqual(['hoch', 'budget']);
    expect(asked('Wie hoch ist das Budget?', 'de')).toEqual(['de:hoch', 'de:budget']);
    expect(asked('What is the die made of?')).toEqual(['die', 'made']);
    expect(asked('What is the die made of?', 'de')).toEqual(['de:die', 'de:mad']);
  });

  it('drops those of the texts where nobody can tell the language of the question', () => {
    expect(asked('die casting')).toEqual(['die', 'cast']);
    expect(asked('die casting', 'de')).toEqual(['de:casting']);
  });
});

describe('queryWords', () => {
  it('has each word as it is written, with its terms in each language', () => {
    const [word] = queryWords('Noten', [null, 'de']);
    expect(word?.written).toBe('Noten');
    expect([...(word?.terms ?? [])]).toEqual([
      [null, { whole: 'noten', parts: [] }],
      ['de', { whole: 'not', parts: [] }],
    ]);
  });

  it('has the first pairs of a long text without blanks', () => {
    const text = Array.from({ length: 800 }, (_, n) => String.fromCodePoint(0x4e00 + 7 * n)).join('');
    const [word] = queryWords(text, EVERY);
    expect(word?.terms.get('de')?.parts).toHaveLength(85);
  });
});

describe('termsAsked', () => {
  it('counts the words of a query in a text of its language', () => {
    const terms = termsAsked('Wer genehmigt Reisen?', 'de');
    expect(terms.size).toBe(2);
    expect(terms.foundIn('Eine Reise, zwei Reisen')).toBe(1);
  });
});
