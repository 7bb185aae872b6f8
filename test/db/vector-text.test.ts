import { describe, expect, it } from 'vitest';
import { fromVectorText, toVectorText } from '../../src/db/vector-text.ts';

describe('vector text', () => {
  it('is what pgvector reads', () => {
    expect(toVectorText(Float32Array.of(1, -0.5, 0))).toBe('[1,-0.5,0]');
    expect(toVectorText(new Float32Array())).toBe('[]');
  });

  it('gives every float32 back exactly', () => {
    const values = Float32Array.from({ length: 2_000 }, (_, i) => Math.sin(i) * 10 ** ((i % 60) - 30));
    expect(fromVectorText(toVectorText(values))).toEqual(values);
  });

  it('reads spaces and exponents', () => {
    expect(fromVectorText('[1, 2e-3]')).toEqual(Float32Array.of(1, 0.002));
  });

  it('refuses what no vector can hold', () => {
    expect(() => toVectorText(Float32Array.of(1, Number.NaN))).toThrow(RangeError);
    expect(() => toVectorText(Float32Array.of(Number.POSITIVE_INFINITY))).toThrow(RangeError);
    for (const text of ['', '1,2', '[1,,2]', '[1,x]', '[1,2', '[NaN]']) {
      expect(() => fromVectorText(text)).toThrow(RangeError);
    }
  });
});
