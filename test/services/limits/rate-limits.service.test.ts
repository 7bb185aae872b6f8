import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { sweepBuckets } from '../../../src/db/rate-limits.ts';
import { OPEN_PRINCIPAL, type Principal } from '../../../src/scope.ts';
import { createRateLimits } from '../../../src/services/limits/rate-limits.ts';
import { openTestDatabase } from '../../helpers/database.ts';

let db: Database;
let keys = 0;
/** Statements that were sent. */
let sent = 0;

beforeAll(async () => {
  const opened = await openTestDatabase();
  db = {
    ...opened,
    query: (sql, params) => {
      sent += 1;
      return opened.query(sql, params);
    },
  };
});
afterAll(() => db.close());

const newCaller = (): Principal => ({ ...OPEN_PRINCIPAL, limitedAs: `key${keys++}` });

/** An instance whose clock stands still, unless it is put forward; that of the database goes on. */
function instance(requests: number) {
  const clock = { ms: 0 };
  const limits = createRateLimits({ db, perMinute: { requests, expensive: 0 }, now: () => clock.ms });
  return {
    clock,
    async isAllowed(caller: Principal): Promise<boolean> {
      return (await limits.count(caller, false)).every(({ isAllowed }) => isAllowed);
    },
  };
}

it('lets through what a key may send and no more, with tokens that each instance has taken ahead', async () => {
  const perMinute = 600;
  const instances = [1, 2, 3].map(() => instance(perMinute));
  const caller = newCaller();
  const startedAt = performance.now();
  const allowed = await Promise.all(
    Array.from({ length: 900 }, (_, n) => instances[n % 3]?.isAllowed(caller)),
  );
  // some one by one, so that what was taken ahead is used
  for (const each of instances) for (let n = 0; n < 30; n++) allowed.push(await each.isAllowed(caller));
  const refilled = Math.ceil(((performance.now() - startedAt) / 60_000) * perMinute);
  const count = allowed.filter(Boolean).length;
  expect(count).toBeLessThanOrEqual(perMinute + refilled);
  // a second's worth is held back while there is some that was taken ahead, and each instance may hold as much
  expect(count).toBeGreaterThanOrEqual(perMinute - 4 * 10);
});

it('asks the database once for those who come at once, and not for what it has taken ahead', async () => {
  const one = instance(600);
  const caller = newCaller();
  sent = 0;
  await Promise.all(Array.from({ length: 20 }, () => one.isAllowed(caller)));
  // the first goes alone and takes ten more, the others go together and do the same
  expect(sent).toBe(2);
  for (let n = 0; n < 10; n++) expect(await one.isAllowed(caller)).toBe(true);
  expect(sent).toBe(2);
  one.clock.ms += 1_000;
  expect(await one.isAllowed(caller)).toBe(true);
  expect(sent).toBe(3);
});

it('refuses without asking until there can be a token', async () => {
  const one = instance(3);
  const caller = newCaller();
  for (let n = 0; n < 3; n++) expect(await one.isAllowed(caller)).toBe(true);
  sent = 0;
  for (let n = 0; n < 5; n++) expect(await one.isAllowed(caller)).toBe(false);
  expect(sent).toBe(0);
  one.clock.ms += 20_001;
  await one.isAllowed(caller);
  expect(sent).toBe(1);
});

it('gives back in a minute what was used, and forgets buckets that are full', async () => {
  const one = instance(30);
  const caller = newCaller();
  for (let n = 0; n < 30; n++) await one.isAllowed(caller);
  const bucket = async () =>
    (await db.query(`select tokens from rate_limits where key_id = $1`, [caller.limitedAs])).rows;
  await sweepBuckets(db);
  expect(await bucket()).toHaveLength(1);
  await db.query(`update rate_limits set at = at - interval '61 seconds' where key_id = $1`, [
    caller.limitedAs,
  ]);
  one.clock.ms += 61_000;
  for (let n = 0; n < 30; n++) expect(await one.isAllowed(caller)).toBe(true);
  await db.query(`update rate_limits set at = at - interval '61 seconds' where key_id = $1`, [
    caller.limitedAs,
  ]);
  await sweepBuckets(db);
  expect(await bucket()).toEqual([]);
});

it('fails with the database, and counts again with it', async () => {
  const broken = { ...db, query: () => Promise.reject(new Error('gone')) };
  let current: Database = broken;
  const query: Database['query'] = (sql, params) => current.query(sql, params);
  const limits = createRateLimits({ db: { ...db, query }, perMinute: { requests: 5, expensive: 0 } });
  const caller = newCaller();
  await expect(limits.count(caller, false)).rejects.toThrow('gone');
  current = db;
  expect((await limits.count(caller, false)).map(({ remaining }) => remaining)).toEqual([4]);
});
