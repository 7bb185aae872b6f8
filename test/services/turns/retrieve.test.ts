import { describe, expect, it } from 'vitest';
import { choosePassages } from '../../../src/services/turns/choose-passages.ts';
import { passage } from '../../helpers/copilot.ts';

describe('choosePassages', () => {
  const passages = [
    passage('a', 'A', { rank_score: 0.9, score: 0.6 }),
    passage('b', 'B', { rank_score: 0.8, score: 0.7 }),
    passage('c', 'C', { rank_score: 0.3, score: 0.1 }),
  ];
  const choose = (files: string[], { limit = 3, minScore = 0 } = {}) =>
    choosePassages({ passages, considered: 40, minScore, rerank: null }, { files, summaries: [], limit });
  const names = (...args: Parameters<typeof choose>) =>
    choose(...args).passages.map(({ parent_id }) => parent_id);

  it('keeps the order of the ranking without a file in question', () => {
    expect(names([])).toEqual(['a', 'b', 'c']);
  });

  it('puts a file in question ahead of an equal one, not ahead of a far better one', () => {
    expect(names(['b.md'])).toEqual(['b', 'a', 'c']);
    expect(names(['c.md'])).toEqual(['a', 'b', 'c']);
  });

  it('gives no more than were asked for', () => {
    expect(names([], { limit: 2 })).toEqual(['a', 'b']);
  });

  it('leaves out what hardly bears on the message, and says how much that is', () => {
    expect(choose([], { minScore: 0.5 })).toMatchObject({
      considered: 40,
      belowFloor: 1,
      likeliestFile: 'b.md',
    });
    expect(names([], { minScore: 0.5 })).toEqual(['a', 'b']);
  });

  it('gives all that was found and is not shown as what is further', () => {
    const further = (...args: Parameters<typeof choose>) =>
      choose(...args).further.map(({ parent_id }) => parent_id);
    expect(further([], { minScore: 0.5 })).toEqual(['c']);
    expect(further([], { limit: 1 })).toEqual(['b', 'c']);
  });

  it('names the likeliest file where nothing is left', () => {
    expect(choose([], { minScore: 0.9 })).toMatchObject({
      passages: [],
      considered: 40,
      belowFloor: 3,
      minScore: 0.9,
      likeliestFile: 'b.md',
    });
    const nothing = { passages: [], considered: 0, minScore: 0, rerank: null };
    expect(choosePassages(nothing, { files: [], summaries: [], limit: 4 }).likeliestFile).toBeNull();
  });

  it('gives scores that never rise', () => {
    expect(choose([]).passages.map(({ score }) => score)).toEqual([0.7, 0.7, 0.1]);
  });
});
