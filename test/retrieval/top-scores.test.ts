import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TopScores } from '../../src/retrieval/top-scores.ts';

describe('the highest scores', () => {
  it('are those of sorting all', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 200 }),
        fc.integer({ min: 1, max: 40 }),
        (scores, most) => {
          const top = new TopScores(most);
          for (const [place, score] of scores.entries()) top.add(score, place, -place);
          const places = top.places();
          const kept = places.map(([place]) => scores[place]).sort((a, b) => Number(b) - Number(a));
          expect(kept).toEqual(scores.toSorted((a, b) => b - a).slice(0, most));
          expect(new Set(places.map(([place]) => place)).size).toBe(places.length);
          expect(places.every(([place, other]) => other === -place)).toBe(true);
          expect(top.size).toBe(places.length);
        },
      ),
    );
  });
});
