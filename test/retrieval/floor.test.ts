import { describe, expect, it } from 'vitest';
import { aboveFloor } from '../../src/retrieval/floor.ts';
import { likeliestFile } from '../../src/retrieval/likeliest-file.ts';

const hits = [0.5, 0.1, 0.9, 0.3].map((score, rank) => ({ rank, score }));

describe('aboveFloor', () => {
  it('leaves out what is below, and keeps the order of the ranking', () => {
    const { hits: kept, belowFloor } = aboveFloor(hits, 0.3);
    expect(kept.map(({ rank }) => rank)).toEqual([0, 2, 3]);
    expect(belowFloor).toBe(1);
  });

  it('gives scores that never rise, the same above any floor', () => {
    const scores = (minScore: number) => aboveFloor(hits, minScore).hits.map(({ score }) => score);
    expect(scores(0)).toEqual([0.9, 0.9, 0.9, 0.3]);
    expect(scores(0.3)).toEqual([0.9, 0.9, 0.3]);
    expect(scores(0.95)).toEqual([]);
  });

  it('keeps all from 0 on', () => {
    expect(aboveFloor([{ score: 0 }], 0)).toEqual({ hits: [{ score: 0 }], belowFloor: 0 });
  });
});

describe('likeliestFile', () => {
  it('is the file of the most likely passage, wherever it stands', () => {
    const passages = [
      { filename: 'a.md', score: 0.1 },
      { filename: 'b.md', score: 0.2 },
    ];
    expect(likeliestFile(passages)).toBe('b.md');
    expect(likeliestFile([])).toBeNull();
  });
});
