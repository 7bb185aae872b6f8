import { describe, expect, it } from 'vitest';
import { askedWords } from '../../src/retrieval/asked-words.ts';
import { isOneEditAway, matchWord } from '../../src/retrieval/word-match.ts';
import { queryWords } from '../../src/text/asked-terms.ts';
import { analyseText } from '../../src/text/terms.ts';

function match(
  word: string,
  text: string,
  { isName = false, mayBeMisspelt = false, isComparedLoosely = true } = {},
): number {
  const [asked] = queryWords(word);
  if (!asked) throw new Error(`${word} is no word`);
  const terms = asked.terms.get(null) ?? { whole: null, parts: [] };
  return matchWord(
    { ...terms, nearest: null, isName, mayBeMisspelt, isComparedLoosely },
    new Set(analyseText(text)),
  );
}

describe('matchWord', () => {
  it('takes a word in any inflection for the word', () => {
    expect(match('customers', 'one customer')).toBe(1);
    expect(match('weeks', 'months')).toBe(0);
  });

  it('takes a part of a compound, and a compound of a word, for something of it', () => {
    expect(match('Hotelnacht', 'eine Nacht')).toBe(0.6);
    expect(match('Reisekosten', 'die Reisekostenrichtlinie')).toBeGreaterThan(0);
    expect(match('payment-worker', 'the payment worker')).toBe(0.9);
    expect(match('payment-worker', 'the payment')).toBe(0.6);
  });

  it('does not take the parts of a name for the name', () => {
    expect(match('SKU-9999', 'SKU-1234', { isName: true })).toBeLessThan(0.3);
    expect(match('SKU-9999', 'SKU-9999', { isName: true })).toBe(1);
  });

  it('forgives one wrong letter in a word that is nowhere', () => {
    expect(match('holdot', 'the holdout', { mayBeMisspelt: true })).toBeGreaterThan(0.5);
    expect(match('string', 'strong', {})).toBe(0);
    expect(match('2025', '2026', { mayBeMisspelt: true })).toBe(0);
  });

  it('takes the very word alone where it is one of too many to be compared loosely', () => {
    expect(match('customerbase', 'a customer')).toBe(0.6);
    expect(match('customerbase', 'a customer', { isComparedLoosely: false })).toBe(0);
    expect(match('holdout', 'the holdout', { isComparedLoosely: false })).toBe(1);
  });

  it('compares the most telling words of a long query loosely', () => {
    const words = askedWords(
      `the budget ${Array.from({ length: 60 }, (_, i) => `zeppelin${'x'.repeat(i)}`).join(' ')}`,
      { texts: 5, having: new Map() },
    );
    expect(words.filter(({ isComparedLoosely }) => isComparedLoosely)).toHaveLength(32);
    expect(words.find(({ written }) => written === 'budget')?.isComparedLoosely).toBe(false);
  });

  it('goes by pairs of characters where no words are marked', () => {
    expect(match('解約率', '解約率は高い')).toBe(1);
    expect(match('解約率', '予算')).toBe(0);
  });
});

describe('isOneEditAway', () => {
  it.each([
    ['holdot', 'holdout', true],
    ['acording', 'according', true],
    ['recieve', 'receive', true],
    ['strong', 'string', true],
    ['same', 'same', true],
    ['cats', 'carts and', false],
    ['abcd', 'badc', false],
  ])('%s, %s: %s', (a, b, expected) => {
    expect(isOneEditAway(a, b)).toBe(expected);
    expect(isOneEditAway(b, a)).toBe(expected);
  });
});
