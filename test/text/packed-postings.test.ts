import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPostingsReader, type Posting, packPostings } from '../../src/text/packed-postings.ts';

const count = fc.integer({ min: 1, max: 2 ** 28 - 1 });
const lists = fc.array(
  fc.uniqueArray(fc.record({ leafIndex: fc.nat(2 ** 28 - 1), frequency: count, length: count }), {
    selector: ({ leafIndex }) => leafIndex,
    maxLength: 20,
  }),
  { maxLength: 5 },
);

describe('packed postings', () => {
  it('come back as they were, list by list, also when lists stand one after the other', () => {
    fc.assert(
      fc.property(lists, (made) => {
        const sorted = made.map((list) => list.toSorted((a, b) => a.leafIndex - b.leafIndex));
        const reader = createPostingsReader(Buffer.concat(sorted.map(packPostings)));
        for (const list of sorted) {
          const read: Posting[] = [];
          reader.read(list.length, (leafIndex, frequency, length) =>
            read.push({ leafIndex, frequency, length }),
          );
          expect(read).toEqual(list);
        }
      }),
    );
  });

  it('end where the bytes end', () => {
    const cut = packPostings([
      { leafIndex: 1, frequency: 2, length: 300 },
      { leafIndex: 5, frequency: 1, length: 300 },
    ]).subarray(0, 4);
    const read: number[] = [];
    createPostingsReader(cut).read(99, (leafIndex) => read.push(leafIndex));
    expect(read).toEqual([1]);
  });
});
