import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { ifMatchAllows, isUnchanged } from '../../../src/routes/plumbing/etag.ts';

const asking = (headers: Record<string, string>) => ({ headers }) as unknown as FastifyRequest;

it('compares If-Match strongly: a weak tag allows nothing', () => {
  const allows = (tag: string) => ifMatchAllows(asking({ 'if-match': tag }), '"7"');
  expect(['"7"', '"6", "7"', '*'].map(allows)).toEqual([true, true, true]);
  expect(['W/"7"', '"6"', 'W/"6", W/"7"'].map(allows)).toEqual([false, false, false]);
  expect(ifMatchAllows(asking({}), '"7"')).toBe(true);
});

it('compares If-None-Match weakly', () => {
  const unchanged = (tag: string) => isUnchanged(asking({ 'if-none-match': tag }), '"7"');
  expect(['"7"', 'W/"7"', '"6", W/"7"', '*'].map(unchanged)).toEqual([true, true, true, true]);
  expect(unchanged('"6"')).toBe(false);
});
