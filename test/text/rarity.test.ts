import { expect, it } from 'vitest';
import { wordRarity } from '../../src/text/rarity.ts';

it('tells common words from telling ones, whatever the documents are', () => {
  const rising = ['the', 'cost', 'campaign', 'orchid'].map(wordRarity);
  expect(rising).toEqual(rising.toSorted((a, b) => a - b));
  expect(rising[0]).toBeLessThan(0.1);
  expect(rising[3]).toBeGreaterThan(0.9);
});

it('takes a word in the commonest of its spellings', () => {
  expect(wordRarity('CEO')).toBeLessThan(1);
  expect(wordRarity('ceo')).toBe(1);
  expect(wordRarity('Campaign')).toBe(wordRarity('campaign'));
  expect(wordRarity("campaign's")).toBe(wordRarity('campaign'));
});

it('knows the function words of other languages', () => {
  for (const word of ['wie', 'welche', 'combien', 'cuántas'])
    expect(wordRarity(word), word).toBeLessThan(0.2);
});

it('goes by the rarest part of a compound, and by the length of a number', () => {
  expect(wordRarity('payment-worker')).toBe(wordRarity('worker'));
  expect(wordRarity('9')).toBeLessThan(wordRarity('2025'));
});

it('looks at no more of a text without blanks than of a word', () => {
  expect(wordRarity('a'.repeat(100_000))).toBe(1);
});
