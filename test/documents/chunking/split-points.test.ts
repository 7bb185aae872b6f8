import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SequenceItem, splitPoints } from '../../../src/documents/chunking/split-points.ts';

const limits = { min: 10, target: 20, max: 50, hardMax: 100 };
const item = (size: number, strength = 1, fingerprint = 0): SequenceItem => ({
  size,
  strength,
  fingerprint,
  prefixSize: 0,
});
const sequences = fc.array(
  fc.tuple(fc.integer({ min: 0, max: 70 }), fc.integer({ min: -1, max: 3 }), fc.nat()),
);

describe('splitPoints', () => {
  it('keeps together what fits', () => {
    expect(splitPoints([item(10), item(10)], limits)).toEqual([0]);
    expect(splitPoints([], limits)).toEqual([]);
  });

  it('splits at the strongest boundary that leaves the minimum on both sides', () => {
    expect(splitPoints([item(5), item(5, 9), item(10, 3), item(10, 5)], limits)).toEqual([0, 3]);
  });

  it('splits at the smallest fingerprint among equals', () => {
    expect(splitPoints([item(10), item(10, 1, 8), item(10, 1, 7), item(9, 1, 3)], limits)).toEqual([0, 2]);
  });

  it('splits at a weak boundary only where a run would be too long', () => {
    expect(splitPoints([item(20), item(20, 0)], limits)).toEqual([0]);
    expect(splitPoints([item(30), item(30, 0)], limits)).toEqual([0, 1]);
  });

  it('halves what is left with less than the minimum where nothing else will do', () => {
    expect(splitPoints([item(6), item(24)], limits)).toEqual([0, 1]);
    expect(splitPoints([item(4), item(26)], limits)).toEqual([0]);
    expect(splitPoints([item(6), item(94)], limits)).toEqual([0]);
  });

  it('keeps a heading with what follows, even if that makes it too long', () => {
    expect(splitPoints([item(30), item(5), item(48, -1), item(30)], limits)).toEqual([0, 1, 3]);
  });

  it('keeps a few words with something too long that follows, within bounds', () => {
    expect(splitPoints([item(30), item(5), item(80), item(30)], limits)).toEqual([0, 1, 3]);
    expect(splitPoints([item(5), item(98)], limits)).toEqual([0, 1]);
    expect(splitPoints([item(15), item(80)], limits)).toEqual([0, 1]);
  });

  it('counts what a run has in front of it', () => {
    const rows = [item(15), ...Array.from({ length: 5 }, () => ({ ...item(15), prefixSize: 25 }))];
    const starts = splitPoints(rows, { ...limits, target: 50 });
    for (const [i, start] of starts.entries()) {
      const size = rows.slice(start, starts[i + 1]).length * 15 + (rows[start]?.prefixSize ?? 0);
      expect(size).toBeLessThanOrEqual(50);
    }
  });

  it('moves only a few split points after an edit', () => {
    const sizes = fc.array(fc.tuple(fc.integer({ min: 2, max: 12 }), fc.nat()), {
      minLength: 400,
      maxLength: 400,
    });
    fc.assert(
      fc.property(sizes, fc.nat({ max: 399 }), (pairs, at) => {
        const items = pairs.map(([size, hash]) => item(size, 1, hash));
        const before = new Set(splitPoints(items, limits));
        const edited = items.map((one, i) => (i === at ? item(one.size + 9, 1, one.fingerprint) : one));
        const moved = splitPoints(edited, limits).filter((start) => !before.has(start));
        expect(moved.length).toBeLessThanOrEqual(6);
      }),
      { numRuns: 100, seed: 7 },
    );
  });

  it('never goes over the maximum unless an item does, and loses no item', () => {
    fc.assert(
      fc.property(sequences, (list) => {
        const items = list.map(([size, strength, hash]) => item(size, strength, hash));
        const starts = splitPoints(items, limits);
        expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
        expect(starts[0]).toBe(items.length === 0 ? undefined : 0);
        starts.forEach((start, i) => {
          const run = items.slice(start, starts[i + 1]);
          const size = run.reduce((sum, one) => sum + one.size, 0);
          const overlong = run.some((one) => one.size > limits.max || one.strength < 0);
          expect(size).toBeLessThanOrEqual(overlong ? limits.hardMax : limits.max);
        });
      }),
      { numRuns: 1_000, seed: 3 },
    );
  });

  it('takes thousands of items that are all alike', () => {
    const starts = splitPoints(
      Array.from({ length: 50_000 }, () => item(5)),
      limits,
    );
    expect(starts.length).toBeGreaterThan(50_000 / 4 / 2);
  });
});
