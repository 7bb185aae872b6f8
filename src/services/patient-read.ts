import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import type { OutageLog } from './outage-log.ts';

/** Before what failed to be read is read again. */
const RETRY_MS = 300;
/** Reads that fail one after another before a follower is let go; it comes back with the number it has seen. */
const MOST_FAILURES = 10;

/**
 * Reads for a follower, who waits out a database that is away for a moment: what fails is read again, for some seconds.
 *
 * @returns null when the signal ends first
 * @throws AppError of the read at once; what else it fails with when it goes on failing
 */
export async function readPatiently<T extends object>(
  read: () => Promise<T>,
  {
    signal,
    outage,
    retryMs = RETRY_MS,
  }: { signal: AbortSignal; outage: OutageLog; retryMs?: number | undefined },
): Promise<T | null> {
  for (let failures = 0; !signal.aborted; ) {
    try {
      const found = await read();
      outage.succeeded();
      return found;
    } catch (error) {
      failures += 1;
      if (error instanceof AppError || failures > MOST_FAILURES) throw error;
      outage.failed(error);
      await delay(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
  return null;
}
