import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimJob } from '../../src/db/claim-job.ts';
import type { Database } from '../../src/db/database.ts';
import { completeJob, enqueueJob, extendJob, failJob, type Job, releaseJob } from '../../src/db/jobs.ts';
import { endAllLeases } from '../../src/db/leases.ts';
import type { Scope } from '../../src/scope.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { secondsFromNow } from '../helpers/rows/insert-row.ts';
import { storeJob } from '../helpers/rows/job.ts';
import { storeProject } from '../helpers/rows/project.ts';

const newJob = { kind: 'ingest_file', subject: 'f', payload: { version: 1 }, maxAttempts: 3 } as const;

let db: Database;
let scope: Scope;
beforeAll(async () => {
  db = await openTestDatabase();
  scope = await storeProject(db, 'p');
});
afterAll(() => db.close());
beforeEach(() => db.query('delete from jobs'));

const claimed = async (holder = 'a'): Promise<Job> => {
  const job = await claimJob(db, holder, { leaseSeconds: 60 });
  if (!job) throw new Error('nothing to claim');
  return job;
};
const expireLease = () => db.query("update jobs set locked_until = now() - interval '1 second'");

describe('a claim', () => {
  it('gives a job to one holder only', async () => {
    await enqueueJob(db, scope, newJob);
    const claims = await Promise.all(
      ['a', 'b', 'c'].map((holder) => claimJob(db, holder, { leaseSeconds: 60 })),
    );
    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  it('takes the job that is due longest, and none before its time', async () => {
    const hour = 3_600;
    await storeJob(db, scope, { subject: 'not yet', runAt: secondsFromNow(hour) });
    await storeJob(db, scope, { subject: 'late', runAt: secondsFromNow(-hour) });
    await storeJob(db, scope, {
      subject: 'early',
      runAt: secondsFromNow(-2 * hour),
      payload: { version: 1 },
    });
    expect(await claimed()).toMatchObject({ subject: 'early', attempts: 1, payload: { version: 1 } });
    expect(await claimed()).toMatchObject({ subject: 'late' });
    expect(await claimJob(db, 'a', { leaseSeconds: 60 })).toBeNull();
  });

  it('takes over a job whose lease ran out, and counts the attempt', async () => {
    await enqueueJob(db, scope, newJob);
    const first = await claimed('killed');
    await expireLease();
    expect(await claimed('b')).toMatchObject({ attempts: 2, lockedBy: 'b' });
    expect(await completeJob(db, first)).toBe(false);
    expect(await extendJob(db, first, 60)).toBe(false);
  });
});

it('is held by the newest claim only, also where one worker has claimed it twice', async () => {
  await enqueueJob(db, scope, newJob);
  const first = await claimed('slow');
  await expireLease();
  const second = await claimed('slow');
  expect(await extendJob(db, first, 60)).toBe(false);
  expect(await completeJob(db, first)).toBe(false);
  await failJob(db, first, { message: 'late', delaySeconds: 30, isCounted: true });
  await releaseJob(db, first);
  expect(await extendJob(db, second, 60)).toBe(true);
  expect(await completeJob(db, second)).toBe(true);
});

it('is claimable at once when a process that is alone ends the leases of those before it', async () => {
  await enqueueJob(db, scope, newJob);
  await claimed('killed');
  await endAllLeases(db);
  expect(await claimed('b')).toMatchObject({ attempts: 2 });
});

describe('a held job', () => {
  it('is gone when completed', async () => {
    await enqueueJob(db, scope, newJob);
    expect(await completeJob(db, await claimed())).toBe(true);
    expect((await db.query('select 1 from jobs', [])).rowCount).toBe(0);
  });

  it('waits when it failed, with its error', async () => {
    await enqueueJob(db, scope, newJob);
    await failJob(db, await claimed(), { message: 'provider down', delaySeconds: 30, isCounted: true });
    expect(await claimJob(db, 'a', { leaseSeconds: 60 })).toBeNull();
    const { rows } = await db.query('select last_error, run_at > now() as waits from jobs', []);
    expect(rows).toEqual([{ last_error: 'provider down', waits: true }]);
  });

  it('has its attempts left when it was put off', async () => {
    await enqueueJob(db, scope, newJob);
    await failJob(db, await claimed(), { message: 'later', delaySeconds: 0, isCounted: false });
    expect(await claimed('b')).toMatchObject({ attempts: 1 });
  });

  it('is claimable at once when given back, its attempt not counted', async () => {
    await enqueueJob(db, scope, newJob);
    await releaseJob(db, await claimed());
    expect(await claimed('b')).toMatchObject({ attempts: 1 });
  });
});

it('is rolled back together with the rows it is about', async () => {
  const attempt = db.transaction(async (tx) => {
    await enqueueJob(tx, scope, newJob);
    throw new Error('no');
  });
  await expect(attempt).rejects.toThrow('no');
  expect(await claimJob(db, 'a', { leaseSeconds: 60 })).toBeNull();
});
