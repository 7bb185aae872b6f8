import { describe, expect, it } from 'vitest';
import { comparePaired, confidenceInterval } from '../../eval/bootstrap.ts';

const repeated = (value: number, times: number): number[] => Array.from({ length: times }, () => value);

describe('the interval of a mean', () => {
  it('is the mean itself where all questions score the same', () => {
    expect(confidenceInterval(repeated(0.5, 40))).toEqual({ low: 0.5, high: 0.5 });
  });

  it('is as wide as the normal approximation says of yes and no', () => {
    const half = [...repeated(1, 50), ...repeated(0, 50)];
    const { low, high } = confidenceInterval(half);
    const expected = 1.96 * Math.sqrt(0.25 / 100);
    expect(low).toBeCloseTo(0.5 - expected, 1);
    expect(high).toBeCloseTo(0.5 + expected, 1);
    expect(confidenceInterval(half)).toEqual({ low, high });
  });

  it('narrows with more questions', () => {
    const width = (times: number) => {
      const { low, high } = confidenceInterval([...repeated(1, times), ...repeated(0, times)]);
      return high - low;
    };
    expect(width(200)).toBeLessThan(width(50) * 0.6);
  });
});

describe('two ways on the same questions', () => {
  it('do not differ where each is better as often', () => {
    const one = Array.from({ length: 60 }, (_, index) => index % 2);
    const other = Array.from({ length: 60 }, (_, index) => (index + 1) % 2);
    expect(comparePaired(one, other)).toMatchObject({ difference: 0, p: 1, better: 30, worse: 30 });
  });

  it('differ where one is better nearly always', () => {
    const one = repeated(0.2, 40);
    const other = [...repeated(0.5, 38), ...repeated(0.1, 2)];
    const { difference, interval, p, better, worse } = comparePaired(one, other);
    expect(difference).toBeCloseTo(0.28, 10);
    expect(interval.low).toBeGreaterThan(0.2);
    expect(p).toBeLessThan(0.001);
    expect([better, worse]).toEqual([38, 2]);
  });

  it('are not compared on different questions', () => {
    expect(() => comparePaired([1], [1, 0])).toThrow(RangeError);
  });
});
