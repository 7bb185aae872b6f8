import { describe, expect, it } from 'vitest';
import { scoreFiles } from '../../src/retrieval/lexical-scores.ts';
import { packPostings } from '../../src/text/packed-postings.ts';

/** A file's leaves: how often each has each term, all of the same length. */
type File = Record<string, number>[];
const LENGTH = 50;

function score(files: Record<string, File>, query: string[], asked?: string) {
  const names = Object.keys(files);
  const leavesOf = (name: string): File => files[name] ?? [];
  const rows = query.flatMap((term) => {
    const having = names.flatMap((name) => {
      const postings = leavesOf(name).flatMap((leaf, leafIndex) =>
        leaf[term] ? [{ leafIndex, frequency: leaf[term], length: LENGTH }] : [],
      );
      return postings.length > 0 ? [{ name, count: postings.length, packed: packPostings(postings) }] : [];
    });
    if (having.length === 0) return [];
    return [
      {
        term,
        df: having.reduce((sum, { count }) => sum + count, 0),
        file_df: having.length,
        files: having.map(({ name }) => name),
        counts: having.map(({ count }) => count),
        packed: Buffer.concat(having.map(({ packed }) => packed)),
      },
    ];
  });
  const { scored, ceiling } = scoreFiles(
    rows,
    {
      ids: names,
      versions: names.map(() => 1),
      leaves: names.map((name) => leavesOf(name).length),
      sections: names.map(() => 1),
      lengths: names.map((name) => LENGTH * leavesOf(name).length),
      wanted: names.map((name) => asked === undefined || name === asked),
      vectorsPending: 0,
    },
    query.map((term) => ({ language: null, terms: [term], times: 1, words: [term], elsewhere: [] })),
  );
  const best = scored
    .map(({ fileId, scores }) => ({
      fileId,
      score: Math.max(...scores),
      leaf: scores.indexOf(Math.max(...scores)),
    }))
    .sort((a, b) => b.score - a.score);
  return { best, scored, ceiling };
}

const others = (leaves: number): Record<string, File> =>
  Object.fromEntries(
    Array.from({ length: 8 }, (_, i) => [`other-${i}`, new Array(leaves).fill({ [`word${i}`]: 1 })]),
  );

describe('scoreFiles', () => {
  // one has all three words, each elsewhere; the other has two of them, in one place
  const spread: File = [{ assay: 2 }, { mice: 1 }, { protein: 1 }];
  const narrow: File = [{ assay: 1, mice: 1 }, {}];

  it('goes by the file where files are hardly longer than leaves, and keeps its best leaf in front', () => {
    const query = ['protein', 'assay', 'mice'];
    const { best } = score({ narrow, spread, ...others(2) }, query);
    expect(best.map(({ fileId }) => fileId)).toEqual(['spread', 'narrow']);
    expect(best[0]?.leaf).toBe(0);
  });

  it('goes by the leaf where files are long', () => {
    const empty: File = new Array(10).fill({});
    // every word somewhere in the file, none beside another; against two of them in one leaf
    const scattered: File = [{ assay: 1 }, {}, {}, { mice: 1 }, {}, {}, { protein: 1 }, ...empty];
    const together: File = [{ assay: 1, mice: 1 }, ...empty, ...empty.slice(4)];
    const { best } = score({ scattered, together, ...others(17) }, ['protein', 'assay', 'mice']);
    expect(best[0]).toMatchObject({ fileId: 'together', leaf: 0 });
  });

  it('does not take a leaf of one short file for an answer because the rest of the file is', () => {
    const query = ['protein', 'assay', 'mice'];
    const file: File = [{ assay: 3, mice: 3, protein: 3 }, { mice: 1 }];
    const { scored, ceiling } = score({ file, ...others(2) }, query, 'file');
    const [full = 0, poor = 0] = scored[0]?.scores ?? [];
    expect(poor / ceiling).toBeLessThan(0.5 * (full / ceiling));
  });

  it('counts a heading that all leaves repeat once for the file', () => {
    const titled: File = new Array(2).fill({ zeppelin: 2 });
    const said: File = [{ zeppelin: 3 }, { other: 1 }];
    const { best } = score({ titled, said, ...others(2) }, ['zeppelin']);
    expect(best[0]?.fileId).toBe('said');
  });

  it('stays below the ceiling', () => {
    for (const leaves of [1, 2, 4, 20]) {
      const full: File = new Array(leaves).fill({ protein: 40, assay: 40, mice: 40 });
      const { best, ceiling } = score({ full, ...others(leaves) }, ['protein', 'assay', 'mice']);
      expect(best[0]?.score).toBeLessThanOrEqual(ceiling);
    }
  });
});
