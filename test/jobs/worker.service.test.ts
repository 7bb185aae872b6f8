import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { enqueueJob, type Job } from '../../src/db/jobs.ts';
import type { JobHandler } from '../../src/jobs/run-job.ts';
import { createJobWorker, type JobWorker } from '../../src/jobs/worker.ts';
import type { Scope } from '../../src/scope.ts';
import { WEIGHT, WeighedError } from '../../src/weight.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { gate } from '../helpers/gate.ts';
import { secondsFromNow } from '../helpers/rows/insert-row.ts';
import { storeJob } from '../helpers/rows/job.ts';
import { storeProject } from '../helpers/rows/project.ts';

const silent = { warn: () => undefined, error: () => undefined };

let db: Database;
let scope: Scope;
let worker: JobWorker | undefined;
beforeAll(async () => {
  db = await openTestDatabase();
  scope = await storeProject(db, 'p');
});
afterAll(() => db.close());
beforeEach(() => db.query('delete from jobs'));
afterEach(() => worker?.stop(0));

function start(handler: JobHandler, concurrency = 2, queue: Database = db): JobWorker {
  worker = createJobWorker({
    db: queue,
    handlers: {
      ingest_file: handler,
      summarise_file: handler,
      summarise_turn: handler,
      build_outline: handler,
      index_words: handler,
      merge_postings: handler,
      write_contexts: handler,
    },
    concurrency,
    leaseSeconds: 60,
    pollMs: 10,
    log: silent,
  });
  worker.start();
  return worker;
}

const enqueue = (subject: string, maxAttempts = 1) =>
  enqueueJob(db, scope, { kind: 'ingest_file', subject, payload: {}, maxAttempts });
const never = new Promise<never>(() => undefined);
const waiting = async () =>
  (await db.query<{ subject: string }>('select subject from jobs order by 1', [])).rows;

it('does every job once, one bad one among them', async () => {
  const done: string[] = [];
  const ended = new Promise<string[]>((resolve) => {
    const settle = (job: Job, how: string) => {
      done.push(`${job.subject} ${how}`);
      if (done.length === 4) resolve(done);
    };
    start({
      async run(job) {
        if (job.subject === 'bad') throw new Error('cannot be read');
        settle(job, 'done');
      },
      giveUp: async (job) => settle(job, 'given up'),
    });
  });
  for (const subject of ['one', 'bad', 'two', 'three']) await enqueue(subject);
  expect((await ended).sort()).toEqual(['bad given up', 'one done', 'three done', 'two done']);
});

it('gives up a job that killed its process in its last attempt, without running it again', async () => {
  await storeJob(db, scope, {
    subject: 'killer',
    attempts: 1,
    lockedBy: 'dead',
    lockedUntil: secondsFromNow(-1),
  });
  let ran = false;
  await new Promise<void>((resolve) => {
    start({
      run: async () => {
        ran = true;
      },
      giveUp: async () => resolve(),
    });
  });
  expect(ran).toBe(false);
});

it('gives the jobs back that are not done when it stops', async () => {
  await enqueue('long', 3);
  let aborted = false;
  await new Promise<void>((started) => {
    start({
      run: (_job, signal) => {
        started();
        return Promise.race([
          never,
          new Promise<void>((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              aborted = true;
              reject(signal.reason as Error);
            });
          }),
        ]);
      },
      giveUp: async () => undefined,
    });
  });
  await worker?.stop(0);
  expect(aborted).toBe(true);
  expect(await waiting()).toEqual([{ subject: 'long' }]);
  const { rows } = await db.query('select attempts, locked_by from jobs', []);
  expect(rows).toEqual([{ attempts: 0, locked_by: null }]);
});

/** A database on which a claim has begun once `begun` opens, and comes through once `mayEnd` does. */
function slowToClaim() {
  const begun = gate();
  const mayEnd = gate();
  const slow: Database = {
    ...db,
    async query(sql, params) {
      if (sql.includes('update jobs set attempts = attempts + 1')) {
        begun.open();
        await mayEnd.opened;
      }
      return db.query(sql, params);
    },
  };
  return { slow, begun, mayEnd };
}

it('waits for a job that it was just claiming when it is stopped', async () => {
  await enqueue('late');
  const { slow, begun, mayEnd } = slowToClaim();
  let ran = false;
  const run = async () => {
    ran = true;
  };
  start({ run, giveUp: async () => undefined }, 1, slow);
  await begun.opened;
  const stopped = worker?.stop(60_000);
  mayEnd.open();
  await stopped;
  expect(ran).toBe(true);
  expect(await waiting()).toEqual([]);
});

it('gives a job back unbegun that it was just claiming when its time to stop was over', async () => {
  await enqueue('too late', 3);
  const { slow, begun, mayEnd } = slowToClaim();
  let ran = false;
  const run = async () => {
    ran = true;
  };
  start({ run, giveUp: async () => undefined }, 1, slow);
  await begun.opened;
  const stopped = worker?.stop(0);
  // timers of one length go off in the order they were set: the time to stop is over after this
  await setTimeout(0);
  mayEnd.open();
  await stopped;
  expect(ran).toBe(false);
  const { rows } = await db.query('select subject, attempts, locked_by from jobs', []);
  expect(rows).toEqual([{ subject: 'too late', attempts: 0, locked_by: null }]);
});

it.each([1, 2, 3])(
  'has a place for a small job whatever the heavy ones do, at a concurrency of %d',
  async (concurrency) => {
    const began: string[] = [];
    const end = gate();
    for (let n = 0; n < 5; n++) await storeJob(db, scope, { subject: 'heavy', weight: WEIGHT.heavy });
    start(
      {
        async run(job) {
          began.push(job.subject);
          if (job.subject === 'heavy') await end.opened;
        },
        giveUp: async () => undefined,
      },
      concurrency,
    );
    try {
      await expect.poll(() => began).toHaveLength(Math.max(1, concurrency - 1));
      await enqueue('note');
      await expect.poll(() => began.at(-1)).toBe('note');
      expect(began.filter((subject) => subject === 'heavy')).toHaveLength(Math.max(1, concurrency - 1));
    } finally {
      end.open();
    }
  },
);

it('tries a job again at once as what it was found to weigh, without counting that', async () => {
  const seen: Pick<Job, 'weight' | 'attempts'>[] = [];
  const ended = gate();
  await enqueue('outgrown');
  start({
    async run({ weight, attempts }) {
      seen.push({ weight, attempts });
      if (seen.length === 1) throw new WeighedError('heavy', { weight: WEIGHT.heavy, isPostponed: true });
      ended.open();
    },
    giveUp: async () => undefined,
  });
  await ended.opened;
  expect(seen).toEqual([
    { weight: WEIGHT.small, attempts: 1 },
    { weight: WEIGHT.heavy, attempts: 1 },
  ]);
});
