import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from '../errors.ts';

/** Often enough that the job is given back before its lease runs out and an attempt of it counts for nothing. */
const PAUSE_MS = 250;

/**
 * Records how a job ended, again and again while the database is in trouble: a job is not to pay with its attempts for an
 * outage in which its end could not be written. What it writes must name the attempt, so that it is harmless when the job is
 * another's by then.
 *
 * @param stopping ends the patience
 */
export async function settleJob<T>(record: () => Promise<T>, stopping: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await record();
    } catch (error) {
      if (!(error instanceof DatabaseError && error.isPostponed) || stopping.aborted) throw error;
      await delay(PAUSE_MS, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}
