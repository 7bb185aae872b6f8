/**
 * The vector scaled to length 1, or null when that cannot be: a number that is not finite, or all zeros. Cosine distance
 * and inner product then order alike, and no provider's own idea of length matters.
 */
export function toUnitVector(values: ArrayLike<number>): Float32Array | null {
  let squares = 0;
  for (let i = 0; i < values.length; i += 1) squares += (values[i] ?? Number.NaN) ** 2;
  if (!Number.isFinite(squares) || squares === 0) return null;
  const length = Math.sqrt(squares);
  return Float32Array.from(values, (value) => value / length);
}
