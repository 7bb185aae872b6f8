import { describe, expect, it } from 'vitest';
import { combineRankings } from '../../src/retrieval/combine.ts';
import { retrievalTuning, retrievalTuningSchema } from '../../src/retrieval/tuning.ts';

describe('the constants of ranking', () => {
  it('are one value that nobody can change', () => {
    expect(Object.isFrozen(retrievalTuning)).toBe(true);
    expect(Object.isFrozen(retrievalTuning.lexical.bm25)).toBe(true);
  });

  it('are what they are where nothing else is said, and keep to their ranges', () => {
    const { fusion, lexical } = retrievalTuningSchema.parse({ fusion: { k: 60 } });
    expect(fusion.k).toBe(60);
    expect(lexical).toEqual(retrievalTuning.lexical);
    expect(() => retrievalTuningSchema.parse({ fusion: { k: -1 } })).toThrow();
    expect(() => retrievalTuningSchema.parse({ fusion: { kk: 60 } })).toThrow();
    expect(() => retrievalTuningSchema.parse({ lexical: { file: { leavesOfShort: 5 } } })).toThrow(
      /leavesOfShort/,
    );
  });

  it('are handed in, not looked up', () => {
    const keys = (...names: string[]) => names.map((key) => ({ key, score: 1 }));
    const first = (k: number) =>
      combineRankings(
        {
          dense: keys('near', 'both'),
          fusionWeight: 1,
          lexical: { hits: keys('worded', 'both'), ceiling: 1 },
        },
        { k },
      )[0]?.key;
    // close to the top a small constant lets a first place decide, a large one that both have it
    expect(first(0)).toBe('worded');
    expect(first(60)).toBe('both');
  });
});
