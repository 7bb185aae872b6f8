import { describe, expect, it } from 'vitest';
import { editDistance, oneLetterAway } from '../../src/text/near-words.ts';

describe('oneLetterAway', () => {
  it('leaves out, adds, changes and swaps', () => {
    const near = oneLetterAway('holdot');
    expect(near).toEqual(expect.arrayContaining(['holdout', 'holdt', 'holdit', 'hodlot']));
    expect(near).not.toContain('holdot');
    expect(near.length).toBeLessThan(400);
  });

  it('knows the letters of other scripts, and none of a script without letters', () => {
    expect(oneLetterAway('договр')).toContain('договор');
    expect(oneLetterAway('予算')).toEqual([]);
    expect(oneLetterAway('a1')).toEqual([]);
  });
});

describe('editDistance', () => {
  it.each([
    ['restor', 'restaur', 2],
    ['receive', 'recieve', 1],
    ['same', 'same', 0],
    ['', 'abc', 3],
    ['plan', 'team', 3],
  ])('%s, %s: %i', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });
});
