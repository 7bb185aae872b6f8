import { expect, it } from 'vitest';
import { decodeVector, encodeVector } from '../../src/archive/vector-bytes.ts';

it('gives a vector back as it was, to the last bit', () => {
  const vector = Float32Array.from([0.6, -0.8, 1e-20]);
  expect(decodeVector(encodeVector(vector), 3)).toEqual(vector);
});

it('takes no vector of other dimensions, another length, or of what is no number', () => {
  expect(decodeVector(encodeVector(Float32Array.from([1])), 2)).toBeNull();
  expect(decodeVector(encodeVector(Float32Array.from([1, 1])), 2)).toBeNull();
  expect(decodeVector(encodeVector(Float32Array.from([1, Number.NaN])), 2)).toBeNull();
  expect(decodeVector('', 2)).toBeNull();
});
