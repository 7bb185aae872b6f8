import { describe, expect, it } from 'vitest';
import { keepPlaces, mergeSources } from '../../src/retrieval/merge-sources.ts';
import type { Source } from '../../src/scope.ts';

const hits = (source: Source, ...scores: number[]) => scores.map((score) => ({ source, score }));
const own = (...scores: number[]) => hits('project', ...scores);
const shared = (...scores: number[]) => hits('library', ...scores);
const written = (list: readonly { source: Source; score: number }[]) =>
  list.map(({ source, score }) => `${source === 'project' ? 'p' : 'l'}${score}`).join(' ');

describe('mergeSources', () => {
  it.each([
    ['goes by confidence', [...own(0.9, 0.3), ...shared(0.6, 0.4)], 'p0.9 l0.6 l0.4 p0.3'],
    ['prefers the own of what is nearly equal', [...own(0.58), ...shared(0.6, 0.5)], 'p0.58 l0.6 l0.5'],
    ['keeps the order of each source', [...own(0.2, 0.9), ...shared(0.8, 0.5)], 'p0.2 p0.9 l0.8 l0.5'],
    ['leaves one source as it is', shared(0.1, 0.7, 0.3), 'l0.1 l0.7 l0.3'],
    ['has nothing to make of nothing', [], ''],
  ])('%s', (_, found, expected) => {
    expect(written(mergeSources(found))).toBe(expected);
  });
});

describe('keepPlaces', () => {
  const first = (ranked: readonly { source: Source; score: number }[], limit: number) =>
    written(keepPlaces(ranked, limit, 0.2).slice(0, limit));

  it.each<[string, { source: Source; score: number }[], number, string]>([
    ['half of the places', [...shared(0.9, 0.8, 0.7, 0.6), ...own(0.4, 0.3, 0.25)], 4, 'l0.9 l0.8 p0.4 p0.3'],
    ['more than half of three', [...shared(0.9, 0.8, 0.7), ...own(0.4, 0.3)], 3, 'l0.9 p0.4 p0.3'],
    ['the only place', [...shared(0.9), ...own(0.4)], 1, 'p0.4'],
    ['none for what does not bear on the query', [...shared(0.9, 0.8), ...own(0.1)], 2, 'l0.9 l0.8'],
    ['as many as there are', [...shared(0.9, 0.8, 0.7, 0.6), ...own(0.4)], 4, 'l0.9 l0.8 l0.7 p0.4'],
    ['all that it earned', [...own(0.9, 0.8, 0.7), ...shared(0.6, 0.5)], 4, 'p0.9 p0.8 p0.7 l0.6'],
  ])('gives the project %s', (_, ranked, limit, expected) => {
    expect(first(ranked, limit)).toBe(expected);
  });

  it('loses none, and changes nothing where there is one source', () => {
    const mixed = [...shared(0.9, 0.8), ...own(0.7, 0.1)];
    expect(keepPlaces(mixed, 2, 0.2)).toHaveLength(mixed.length);
    const alone = own(0.1, 0.1, 0.9, 0.8);
    expect(keepPlaces(alone, 2, 0.2)).toEqual(alone);
  });
});
