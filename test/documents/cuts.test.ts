import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CutItem, cutSequence } from '../../src/documents/cuts.ts';

const limits = { min: 10, low: 20, high: 40, max: 50, hardMax: 100 };
const item = (size: number, strength = 1, hash = 0): CutItem => ({ size, strength, hash, lead: 0 });

describe('cutSequence', () => {
  it('keeps together what fits', () => {
    expect(cutSequence([item(10), item(10), item(20)], limits)).toEqual([0]);
  });

  it('cuts at the strongest place within reach', () => {
    const items = [item(10), item(10), item(10, 5), item(10), item(10), item(10)];
    expect(cutSequence(items, limits)).toEqual([0, 2]);
  });

  it('cuts at the smallest fingerprint among equals', () => {
    const items = [
      item(10, 1, 9),
      item(10, 1, 8),
      item(10, 1, 7),
      item(10, 1, 3),
      item(10, 1, 6),
      item(10, 1, 5),
    ];
    expect(cutSequence(items, limits)).toEqual([0, 3]);
  });

  it('does not leave an end that is too short', () => {
    expect(cutSequence([item(20), item(20), item(5)], limits)).toEqual([0, 1]);
  });

  it('keeps a heading with what follows, even if that makes it too long', () => {
    expect(cutSequence([item(30), item(5), item(48, -1), item(30)], limits)).toEqual([0, 1, 3]);
  });

  it('counts what a run has in front of it', () => {
    const rows = [item(15), ...Array.from({ length: 5 }, () => ({ ...item(15), lead: 25 }))];
    expect(cutSequence(rows, { ...limits, low: 40, high: 45 })).toEqual([0, 3, 4, 5]);
  });

  it('comes back to the same cuts after an edit', () => {
    const sizes = fc.array(fc.tuple(fc.integer({ min: 2, max: 12 }), fc.nat()), {
      minLength: 400,
      maxLength: 400,
    });
    fc.assert(
      fc.property(sizes, (pairs) => {
        const items = pairs.map(([size, hash]) => item(size, 1, hash));
        const before = new Set(cutSequence(items, limits));
        const edited = [...items.slice(0, 3), item(11, 1, 7), ...items.slice(3)];
        const after = cutSequence(edited, limits).map((start) => start - 1);
        expect(after.slice(-20).every((start) => before.has(start))).toBe(true);
      }),
      { numRuns: 50, seed: 7 },
    );
  });

  it('never goes over the maximum unless an item does, and loses no item', () => {
    const items = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 70 }), fc.integer({ min: 0, max: 3 }), fc.nat()),
    );
    fc.assert(
      fc.property(items, (list) => {
        const sequence = list.map(([size, strength, hash]) => item(size, strength, hash));
        const starts = cutSequence(sequence, limits);
        expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
        expect(starts[0]).toBe(sequence.length === 0 ? undefined : 0);
        starts.forEach((start, i) => {
          const run = sequence.slice(start, starts[i + 1]);
          const size = run.reduce((sum, one) => sum + one.size, 0);
          if (run.every((one) => one.size <= limits.max)) expect(size).toBeLessThanOrEqual(limits.max);
          else expect(size).toBeLessThanOrEqual(limits.hardMax);
        });
      }),
    );
  });
});
