/** One leaf that has a term: how often, and how many terms the leaf is long. */
export interface Posting {
  leafIndex: number;
  frequency: number;
  length: number;
}

function writeVarint(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  bytes.push(rest);
}

/**
 * Packs a term's postings within one file: for each leaf the distance from the leaf before, frequency and length, as
 * variable-length integers (7 bits a byte, low bits first), 3 to 5 bytes in all. Arrays of integers as columns took the
 * client longer to parse than to score.
 *
 * @param postings by rising leafIndex
 */
export function packPostings(postings: readonly Posting[]): Uint8Array {
  const bytes: number[] = [];
  let previous = 0;
  for (const { leafIndex, frequency, length } of postings) {
    writeVarint(bytes, leafIndex - previous);
    writeVarint(bytes, frequency);
    writeVarint(bytes, length);
    previous = leafIndex;
  }
  return Uint8Array.from(bytes);
}

/**
 * Reads packed lists that stand one after the other. It builds no objects: this runs over every posting of every query.
 */
export function createPostingsReader(packed: Uint8Array) {
  let at = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let shift = 0; at < packed.length; shift += 7) {
      const byte = packed[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  return {
    /** Visits the next list, which has `count` postings. */
    read(count: number, visit: (leafIndex: number, frequency: number, length: number) => void): void {
      let leafIndex = 0;
      for (let i = 0; i < count && at < packed.length; i++) {
        leafIndex += readVarint();
        const frequency = readVarint();
        visit(leafIndex, frequency, readVarint());
      }
    },
  };
}
