/**
 * pgvector's text form of a vector, `[0.1,0.2]`. Nine significant digits give every float32 back exactly. Throws a
 * RangeError for a value that pgvector cannot hold.
 */
export function toVectorText(vector: Float32Array): string {
  const parts: string[] = [];
  for (const value of vector) {
    if (!Number.isFinite(value)) throw new RangeError('a vector may hold finite numbers only');
    parts.push(String(Number(value.toPrecision(9))));
  }
  return `[${parts.join(',')}]`;
}

/** The vector that pgvector's text form stands for. Throws a RangeError when the text is none. */
export function fromVectorText(text: string): Float32Array {
  if (!text.startsWith('[') || !text.endsWith(']')) throw new RangeError('not a vector');
  const body = text.slice(1, -1);
  const vector = Float32Array.from(body.length === 0 ? [] : body.split(','), (part) =>
    part.trim() === '' ? Number.NaN : Number(part),
  );
  if (vector.some((value) => !Number.isFinite(value))) throw new RangeError('not a vector');
  return vector;
}
