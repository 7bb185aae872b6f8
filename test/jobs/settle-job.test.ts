import { expect, it } from 'vitest';
import { DatabaseError } from '../../src/errors.ts';
import { settleJob } from '../../src/jobs/settle-job.ts';

const outage = new DatabaseError('unavailable', new Error('gone'), false);

it('records how a job ended when the database is there again', async () => {
  let tries = 0;
  await settleJob(async () => {
    tries += 1;
    if (tries < 3) throw outage;
  }, new AbortController().signal);
  expect(tries).toBe(3);
});

it('does not wait while the process stops, or for what no waiting mends', async () => {
  const fail = (error: Error) => () => Promise.reject(error);
  await expect(settleJob(fail(outage), AbortSignal.abort())).rejects.toBe(outage);
  const mistake = new TypeError('a mistake');
  await expect(settleJob(fail(mistake), new AbortController().signal)).rejects.toBe(mistake);
});
