import { describe, expect, it } from 'vitest';
import { spreadOverFiles } from '../../src/retrieval/spread-files.ts';
import type { Source } from '../../src/scope.ts';

/** Written as file, number and confidence: `a1 .9`; files in capitals are the library's. */
const hits = (list: string) =>
  list.split(', ').map((text) => {
    const [id = '', score = ''] = text.split(' ');
    const filename = id.charAt(0);
    const source: Source = filename === filename.toUpperCase() ? 'library' : 'project';
    return { id, filename, source, score: Number(score) };
  });
const spread = (list: string, limit = 4, minScore = 0.2) => {
  const { hits: placed, moved } = spreadOverFiles(hits(list), limit, minScore);
  const ids = (of: Iterable<{ id: string }>) => [...of].map(({ id }) => id).join(' ');
  return [ids(placed.slice(0, limit)), ids(moved), placed.length];
};

describe('spreadOverFiles', () => {
  it.each<[string, string, string, string]>([
    ['half of the places to a file', 'a1 .9, a2 .8, a3 .7, a4 .6, b1 .6, c1 .6', 'a1 a2 b1 c1', 'b1 c1'],
    ['more where there is nothing else', 'a1 .9, a2 .8, a3 .7, a4 .6, a5 .5', 'a1 a2 a3 a4', ''],
    ['more where others bear on it far less', 'a1 .9, a2 .9, a3 .9, a4 .9, b1 .6', 'a1 a2 a3 a4', ''],
    ['none below the floor', 'a1 .3, a2 .2, a3 .2, a4 .2, b1 .19', 'a1 a2 a3 a4', ''],
    ['what was spread already as it is', 'a1 .9, b1 .8, a2 .7, c1 .6, d1 .6', 'a1 b1 a2 c1', ''],
    [
      'no more than half to the other',
      'a1 .9, a2 .8, a3 .7, a4 .6, b1 .6, b2 .6, b3 .6',
      'a1 a2 b1 b2',
      'b1 b2',
    ],
    ['none of the project to the library', 'a1 .9, a2 .8, a3 .7, a4 .6, B1 .9, b1 .6', 'a1 a2 a3 b1', 'b1'],
  ])('gives %s', (_, list, expected, moved) => {
    const count = list.split(', ').length;
    expect(spread(list)).toEqual([expected, moved, count]);
  });

  it('leaves the first, and the only place, to the best', () => {
    expect(spread('a1 .9, b1 .9', 1)).toEqual(['a1', '', 2]);
  });
});
