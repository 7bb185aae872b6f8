import { expect, it } from 'vitest';
import { backoffSeconds } from '../../src/jobs/backoff.ts';

it('backs off longer each time, up to five minutes', () => {
  expect([1, 2, 3, 8, 20].map(backoffSeconds)).toEqual([2, 4, 8, 256, 300]);
});
