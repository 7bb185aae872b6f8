import { expect, it } from 'vitest';
import { createCallGuard } from '../../src/research/call-guard.ts';

it('knows the same call by its tool and its input, whatever the order of members', () => {
  const guard = createCallGuard();
  expect(guard.earlier('search', { a: 1, b: { c: 'x ', d: [1] } }, 1)).toBeNull();
  expect(guard.earlier('search', { b: { d: [1], c: 'x' }, a: 1 }, 2)).toBe(1);
  expect(guard.earlier('other', { a: 1, b: { c: 'x', d: [1] } }, 2)).toBeNull();
  expect(guard.earlier('search', { a: 2 }, 3)).toBeNull();
  expect(guard.earlier('search', { a: 2 }, 4)).toBe(3);
});
