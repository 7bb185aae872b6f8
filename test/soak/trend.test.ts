import { describe, expect, it } from 'vitest';
import { createRandom } from '../helpers/random.ts';
import { trendOf } from './trend.ts';

const series = (length: number, y: (x: number) => number) =>
  Array.from({ length }, (_, x) => ({ x, y: y(x) }));

describe('a trend of measurements', () => {
  it('is exact on a line', () => {
    const { slope, low, high } = trendOf(series(10, (x) => 5 + 2 * x));
    expect(slope).toBeCloseTo(2);
    expect(high - low).toBeCloseTo(0);
  });

  it('does not take noise for growth', () => {
    const random = createRandom(1);
    const trend = trendOf(series(40, () => 100 + random.next() * 10));
    expect(trend.low).toBeLessThan(0);
    expect(trend.high).toBeGreaterThan(0);
  });

  it('sees growth through noise', () => {
    const random = createRandom(2);
    const { slope, low } = trendOf(series(40, (x) => 100 + x + random.next() * 10));
    expect(slope).toBeCloseTo(1, 0);
    expect(low).toBeGreaterThan(0.5);
  });

  it('trusts measurements less that resemble their neighbours', () => {
    const random = createRandom(3);
    const steps = Array.from({ length: 40 }, () => random.next() - 0.5);
    const wandering = trendOf(series(40, (x) => steps.slice(0, x).reduce((a, b) => a + b, 0)));
    const scattered = trendOf(series(40, (x) => steps[x] ?? 0));
    expect(wandering.high - wandering.low).toBeGreaterThan(2 * (scattered.high - scattered.low));
  });

  it('needs three points', () => {
    expect(() => trendOf(series(2, (x) => x))).toThrow(RangeError);
  });
});
