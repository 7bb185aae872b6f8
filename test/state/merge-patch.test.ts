import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { applyMergePatch } from '../../src/state/merge-patch.ts';

// Appendix A of RFC 7386: target, patch, result.
const APPENDIX: [unknown, unknown, unknown][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

describe('applyMergePatch', () => {
  it.each(APPENDIX)('merges %j with %j to %j', (target, patch, result) => {
    expect(applyMergePatch(target, patch)).toEqual(result);
  });

  it('treats __proto__ and constructor as keys, never as prototypes', () => {
    const patch: unknown = JSON.parse(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    );
    const merged = applyMergePatch({}, patch) as Record<string, unknown>;
    expect(Object.keys(merged)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    expect(merged.polluted).toBeUndefined();
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('refuses a patch nested beyond the limit before the call stack ends', () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`);
    expect(() => applyMergePatch({}, deep)).toThrow(AppError);
  });

  it('applied twice gives what it gave once, leaves its arguments alone, and puts no null of an object patch in', () => {
    const json = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const before = JSON.stringify([target, patch]);
        const once = applyMergePatch(target, patch);
        expect(applyMergePatch(once, patch)).toEqual(once);
        expect(JSON.stringify([target, patch])).toBe(before);
        if (isObject(once) && isObject(patch)) {
          for (const [key, value] of Object.entries(patch))
            expect(Object.hasOwn(once, key)).toBe(value !== null);
        }
      }),
      { seed: 21, numRuns: 300 },
    );
  });

  it('keeps every member of the target that the patch does not name', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(object, object, (target, patch) => {
        const merged = applyMergePatch(target, patch) as Record<string, unknown>;
        for (const key of Object.keys(target)) {
          if (!Object.hasOwn(patch, key)) expect(merged[key]).toEqual(target[key]);
        }
        const names = new Set([...Object.keys(target), ...Object.keys(patch)]);
        expect(Object.keys(merged).every((key) => names.has(key))).toBe(true);
      }),
      { seed: 22, numRuns: 200 },
    );
  });
});
