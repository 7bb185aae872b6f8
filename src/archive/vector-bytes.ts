const FLOAT_BYTES = 4;

/** A vector as an archive has it: 32-bit floats, little-endian, in base64. */
export function encodeVector(vector: Float32Array): string {
  const bytes = Buffer.allocUnsafe(vector.length * FLOAT_BYTES);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * FLOAT_BYTES);
  return bytes.toString('base64');
}

/** The same back; null when it has not so many dimensions, or is not of length 1 as those of every model here are. */
export function decodeVector(text: string, dimensions: number): Float32Array | null {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== dimensions * FLOAT_BYTES) return null;
  const vector = Float32Array.from({ length: dimensions }, (_, index) =>
    bytes.readFloatLE(index * FLOAT_BYTES),
  );
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return Math.abs(length - 1) < 0.01 ? vector : null;
}
