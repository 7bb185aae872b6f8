/** Object id of `real` in every Postgres, and of its array. */
const REAL = 700;
export const REAL_ARRAY = 1021;

const HEADER_BYTES = 20;
const ELEMENT_BYTES = 8;

/**
 * Vectors of the same length, one after the other, as a binary parameter of type `real[]`: a slice of it, cast, is a vector.
 * Reading vectors as text takes the embedded database twenty times as long.
 */
export function realArray(vectors: readonly Float32Array[]): Buffer {
  const count = vectors.reduce((sum, { length }) => sum + length, 0);
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + ELEMENT_BYTES * count);
  // what array_recv of Postgres reads: dimensions, nulls, type, then length and lower bound of the one dimension
  for (const [index, value] of [1, 0, REAL, count, 1].entries()) bytes.writeInt32BE(value, 4 * index);
  let at = HEADER_BYTES;
  for (const vector of vectors) {
    for (const value of vector) {
      bytes.writeInt32BE(4, at);
      bytes.writeFloatBE(value, at + 4);
      at += ELEMENT_BYTES;
    }
  }
  return bytes;
}
