import type { Pooling } from './folder-configuration.ts';

/** The vectors of a batch of windows, token by token: [windows, tokens, width], short windows filled up at their end. */
export interface TokenVectors {
  values: Float32Array;
  tokens: number;
  width: number;
}

/**
 * The vector of one window of a batch.
 *
 * @param index of the window
 * @param length its own tokens, without those that it was filled up with
 */
export function poolTokens(
  { values, tokens, width }: TokenVectors,
  index: number,
  length: number,
  pooling: Pooling,
): Float32Array {
  const tokenAt = (token: number): Float32Array => {
    const start = (index * tokens + token) * width;
    return values.subarray(start, start + width);
  };
  switch (pooling) {
    case 'cls':
      return tokenAt(0);
    case 'last':
      return tokenAt(length - 1);
    case 'mean':
      // not divided: only the direction counts
      return overTokens(width, length, tokenAt, (sum, value) => sum + value, 0);
    case 'max':
      return overTokens(width, length, tokenAt, Math.max, -Infinity);
  }
}

function overTokens(
  width: number,
  length: number,
  tokenAt: (token: number) => Float32Array,
  join: (so: number, value: number) => number,
  start: number,
): Float32Array {
  const pooled = new Float32Array(width).fill(start);
  for (let token = 0; token < length; token += 1) {
    for (const [i, value] of tokenAt(token).entries()) pooled[i] = join(pooled[i] ?? start, value);
  }
  return pooled;
}
