import { describe, expect, it } from 'vitest';
import type { Outline, OutlineNode } from '../../../src/documents/outline/outline.ts';
import { createOutlineCache } from '../../../src/services/outlines/cache.ts';

const outlineOf = (nodes: number): Outline => ({
  nodes: Array.from({ length: nodes }, () => ({}) as OutlineNode),
  digest: '',
  truncated: false,
  guardrail: null,
});

describe('outlines in memory', () => {
  it('go when there are too many nodes, the one not used for longest first', () => {
    const cache = createOutlineCache(10);
    cache.set('a', outlineOf(3));
    cache.set('b', outlineOf(3));
    expect(cache.get('a')).toBeDefined();
    cache.set('c', outlineOf(3));
    expect(['a', 'b', 'c'].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true]);
  });
  it('are not held at all when one alone is too large', () => {
    const cache = createOutlineCache(10);
    cache.set('a', outlineOf(3));
    cache.set('huge', outlineOf(11));
    expect(cache.get('huge')).toBeUndefined();
    expect(cache.get('a')).toBeDefined();
  });
});
