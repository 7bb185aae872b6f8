import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimJob } from '../../src/db/claim-job.ts';
import type { Database } from '../../src/db/database.ts';
import { completeJob, failJob, type Job, readQueueFigures } from '../../src/db/jobs.ts';
import type { Scope } from '../../src/scope.ts';
import { WEIGHT } from '../../src/weight.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { secondsFromNow } from '../helpers/rows/insert-row.ts';
import { storeJob } from '../helpers/rows/job.ts';
import { storeProject } from '../helpers/rows/project.ts';

let db: Database;
let busy: Scope;
let other: Scope;
beforeAll(async () => {
  db = await openTestDatabase();
  busy = await storeProject(db, 'busy');
  other = await storeProject(db, 'other');
});
afterAll(() => db.close());
beforeEach(() => db.query('delete from jobs'));

const claim = (terms = {}): Promise<Job | null> => claimJob(db, 'a', { leaseSeconds: 60, ...terms });
const subjects = async (count: number, terms = {}): Promise<(string | undefined)[]> => {
  const found: (string | undefined)[] = [];
  while (found.length < count) found.push((await claim(terms))?.subject);
  return found;
};
const minutesAgo = (minutes: number) => ({ runAt: secondsFromNow(-60 * minutes) });

describe('a claim', () => {
  it('takes turns between projects, however much of one waits', async () => {
    for (const n of [1, 2, 3]) await storeJob(db, busy, { subject: `busy ${n}`, ...minutesAgo(10 - n) });
    await storeJob(db, other, { subject: 'other 1', ...minutesAgo(1) });
    await storeJob(db, other, { subject: 'other 2' });
    expect(await subjects(4)).toEqual(['busy 1', 'other 1', 'busy 2', 'other 2']);
  });

  it('takes a note before what is heavy, unless that has waited much longer', async () => {
    await storeJob(db, busy, { subject: 'heavy', weight: WEIGHT.heavy, runAt: secondsFromNow(-10) });
    await storeJob(db, busy, { subject: 'small', weight: WEIGHT.small, runAt: secondsFromNow(-5) });
    await storeJob(db, busy, { subject: 'note', weight: WEIGHT.note });
    await storeJob(db, busy, { subject: 'forgotten', weight: WEIGHT.heavy, ...minutesAgo(5) });
    expect(await subjects(4)).toEqual(['forgotten', 'note', 'small', 'heavy']);
  });

  it('leaves heavy ones where only a light one is wanted', async () => {
    await storeJob(db, busy, { subject: 'heavy', weight: WEIGHT.heavy, ...minutesAgo(5) });
    await storeJob(db, busy, { subject: 'alone', weight: WEIGHT.alone, ...minutesAgo(5) });
    await storeJob(db, busy, { subject: 'note', weight: WEIGHT.note });
    expect(await subjects(2, { heaviest: WEIGHT.small })).toEqual(['note', undefined]);
  });

  it('takes no more of a project than it may have under way', async () => {
    for (const n of [1, 2, 3]) await storeJob(db, busy, { subject: `busy ${n}`, ...minutesAgo(10 - n) });
    const first = await claim({ mostOfProject: 2 });
    expect(await subjects(2, { mostOfProject: 2 })).toEqual(['busy 2', undefined]);
    if (first) await completeJob(db, first);
    expect(await subjects(1, { mostOfProject: 2 })).toEqual(['busy 3']);
  });
});

it('a job keeps what it was found to weigh', async () => {
  await storeJob(db, busy, { subject: 'a', weight: WEIGHT.note, maxAttempts: 3 });
  for (const weight of [WEIGHT.heavy, WEIGHT.alone, undefined]) {
    const job = await claim();
    if (!job) throw new Error('nothing to claim');
    await failJob(db, job, { message: 'x', delaySeconds: 0, isCounted: true, ...(weight && { weight }) });
  }
  expect(await claim()).toMatchObject({ weight: WEIGHT.alone });
});

it('tells how long the oldest has waited', async () => {
  await storeJob(db, busy, { subject: 'a', ...minutesAgo(5) });
  await storeJob(db, busy, { subject: 'held', ...minutesAgo(50), lockedUntil: secondsFromNow(60) });
  await storeJob(db, busy, { subject: 'later', runAt: secondsFromNow(60) });
  const [figures] = await readQueueFigures(db);
  expect(figures).toMatchObject({ kind: 'ingest_file', waiting: 2, running: 1 });
  expect(figures?.oldest_waiting_seconds).toBeGreaterThanOrEqual(300);
  expect(figures?.oldest_waiting_seconds).toBeLessThan(3_000);
});
