import { describe, expect, it } from 'vitest';
import { combineRankings } from '../../src/retrieval/combine.ts';

const ranked = (...keys: string[]) => keys.map((key, index) => ({ key, score: 1 - index / 10 }));

describe('combineRankings', () => {
  it('gives the first place of both rankings the score 1, and a hit of both more than one of either', () => {
    const hits = combineRankings({
      dense: ranked('a', 'b', 'c'),
      fusionWeight: 1,
      lexical: { hits: ranked('a', 'd', 'c'), ceiling: 2 },
    });
    expect(hits.map(({ key }) => key)).toEqual(['a', 'c', 'd', 'b']);
    expect(hits[0]).toEqual({
      key: 'a',
      score: 1,
      denseRank: 1,
      denseScore: 1,
      lexicalRank: 1,
      lexicalScore: 1,
    });
    expect(hits[2]).toMatchObject({ key: 'd', denseRank: null, denseScore: null, lexicalRank: 2 });
  });

  it('lets the heavier ranking decide', () => {
    const by = (fusionWeight: number) =>
      combineRankings({
        dense: ranked('near'),
        fusionWeight,
        lexical: { hits: ranked('worded'), ceiling: 2 },
      })[0]?.key;
    expect(by(0.2)).toBe('worded');
    expect(by(2)).toBe('near');
  });

  it('scores by similarity when it goes by vectors alone, never below 0', () => {
    const hits = combineRankings({
      dense: [
        { key: 'a', score: 0.7 },
        { key: 'b', score: -0.2 },
      ],
      fusionWeight: 0.2,
      lexical: null,
    });
    expect(hits.map(({ score }) => score)).toEqual([0.7, 0]);
  });

  it('scores by the share of the ceiling when it goes by words alone, never over 1', () => {
    const hits = combineRankings({
      dense: null,
      fusionWeight: 1,
      lexical: {
        hits: [
          { key: 'a', score: 5 },
          { key: 'b', score: 1 },
        ],
        ceiling: 4,
      },
    });
    expect(hits.map(({ score }) => score)).toEqual([1, 0.25]);
  });

  it('gives nothing when nothing was found', () => {
    expect(combineRankings({ dense: [], fusionWeight: 1, lexical: { hits: [], ceiling: 1 } })).toEqual([]);
  });
});
