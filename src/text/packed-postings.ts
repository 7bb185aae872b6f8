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
 * Reads packed lists that stand one after the other. It hands out no objects and calls nobody back: this runs over every posting of
 * every query. What is cut off ends the reading.
 */
export class PostingsReader {
  /** Of the posting that was read last. */
  leafIndex = 0;
  frequency = 0;
  length = 0;
  private readonly packed: Uint8Array;
  private at = 0;

  constructor(packed: Uint8Array) {
    this.packed = packed;
  }

  get isAtEnd(): boolean {
    return this.at >= this.packed.length;
  }

  /** To be called before the first posting of each list. */
  startList(): void {
    this.leafIndex = 0;
  }

  /** Reads the next posting of the list; false when there is nothing left to read. */
  next(): boolean {
    if (this.at >= this.packed.length) return false;
    this.leafIndex += this.readVarint();
    this.frequency = this.readVarint();
    this.length = this.readVarint();
    return true;
  }

  /** Passes over a list of so many postings. */
  skip(count: number): void {
    for (let i = 0; i < count && this.next(); i++);
  }

  /** The number in the next two bytes, which stand before a list in a segment. */
  readShort(): number {
    const high = this.packed[this.at] ?? 0;
    const low = this.packed[this.at + 1] ?? 0;
    this.at += 2;
    return (high << 8) | low;
  }

  private readVarint(): number {
    const { packed } = this;
    let byte = packed[this.at++] ?? 0;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    for (let shift = 7; this.at < packed.length; shift += 7) {
      byte = packed[this.at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return value;
  }
}
