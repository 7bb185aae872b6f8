import { describe, expect, it } from 'vitest';
import { phrasesIn, quotedPhrases } from '../../src/text/quoted.ts';

describe('quotedPhrases', () => {
  it.each([
    ['what is "net revenue retention"?', ['net revenue retention']],
    ['was heißt „zweite Ebene“ hier?', ['zweite Ebene']],
    ['que veut dire « deuxième niveau » ?', ['deuxième niveau']],
    ['“first contact” and "second line"', ['first contact', 'second line']],
    ['"" "?!" and 5" pipes', []],
    ['"a b" "c d" "e f" "g h"', ['a b', 'c d', 'e f']],
  ])('%s', (query, texts) => {
    expect(quotedPhrases(query).map(({ text }) => text)).toEqual(texts);
  });

  it('puts what is quoted first, but for a word that a question speaks of', () => {
    expect(quotedPhrases('what does "index" mean?')[0]?.comesFirst).toBe(false);
    expect(quotedPhrases('"index"')[0]?.comesFirst).toBe(true);
    expect(quotedPhrases('what does "error budget" mean?')[0]?.comesFirst).toBe(true);
  });
});

describe('phrasesIn', () => {
  const isIn = (quoted: string, text: string) => phrasesIn(text, quotedPhrases(`"${quoted}"`)).length === 1;

  it('finds words side by side, whatever their case, accents and marks', () => {
    expect(isIn('error budget', 'The **Error**\nbudget is spent.')).toBe(true);
    expect(isIn('hohes risiko', 'ein hohes Risiko droht')).toBe(true);
    expect(isIn('error budget', 'budget error')).toBe(false);
    expect(isIn('error budget', 'an error in the budget')).toBe(false);
    expect(isIn('error budget', 'error budgets')).toBe(false);
  });

  it('finds a phrase within a run of a script without spaces', () => {
    expect(isIn('解約率', '今月の解約率は高い')).toBe(true);
  });
});
