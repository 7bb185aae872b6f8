import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { oneAtATime } from '../src/one-at-a-time.ts';

it('does work one at a time, and once more when it was asked for meanwhile', async () => {
  const ends: (() => void)[] = [];
  const ask = oneAtATime(() => new Promise<void>((resolve) => ends.push(resolve)));
  for (let times = 0; times < 3; times++) ask();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await nextTurn();
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await nextTurn();
  expect(ends).toHaveLength(2);
  ask();
  expect(ends).toHaveLength(3);
});
