import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Posting, PostingsReader, packPostings } from '../../src/text/packed-postings.ts';

function readList(reader: PostingsReader, count: number): Posting[] {
  const read: Posting[] = [];
  reader.startList();
  for (let i = 0; i < count && reader.next(); i++) {
    const { leafIndex, frequency, length } = reader;
    read.push({ leafIndex, frequency, length });
  }
  return read;
}

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
        const reader = new PostingsReader(Buffer.concat(sorted.map(packPostings)));
        for (const list of sorted) expect(readList(reader, list.length)).toEqual(list);
        expect(reader.isAtEnd).toBe(true);
      }),
    );
  });

  it('can be passed over, and stand behind a number of two bytes', () => {
    const list = [
      { leafIndex: 3, frequency: 1, length: 200 },
      { leafIndex: 400, frequency: 2, length: 9 },
    ];
    const reader = new PostingsReader(
      Buffer.concat([packPostings(list), Uint8Array.of(0x12, 0x34), packPostings(list)]),
    );
    reader.skip(list.length);
    expect(reader.readShort()).toBe(0x1234);
    expect(readList(reader, list.length)).toEqual(list);
  });

  it('end where the bytes end', () => {
    const cut = packPostings([
      { leafIndex: 1, frequency: 2, length: 300 },
      { leafIndex: 5, frequency: 1, length: 300 },
    ]).subarray(0, 4);
    expect(readList(new PostingsReader(cut), 99).map(({ leafIndex }) => leafIndex)).toEqual([1]);
  });
});
