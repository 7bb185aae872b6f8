import type { Database } from '../db/database.ts';
import { evictEmbeddingCache } from '../db/embedding-cache.ts';
import { deleteExpiredKeys } from '../db/idempotency.ts';

const EVERY_MS = 60 * 60 * 1000;
// A run takes what it does not reach the next time: statements of some milliseconds, and a second of them at most.
const VECTORS_PER_STATEMENT = 500;
const STATEMENTS_PER_RUN = 40;

export interface HousekeepingDeps {
  db: Database;
  /** A cached vector that no run has used for so many days goes. */
  embeddingCacheDays: number;
  log: { warn(details: object, message: string): void };
}

/**
 * Clears away what nobody asks for any more, in the background: idempotency keys of more than a day ago, and vectors of
 * the embedding cache that were not used for long. Leaves and summaries keep their own vectors, so nothing is lost but
 * the saving should the same text come back.
 */
export function createHousekeeping({ db, embeddingCacheDays, log }: HousekeepingDeps) {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let running: Promise<void> = Promise.resolve();

  async function evictVectors(): Promise<void> {
    for (let left = STATEMENTS_PER_RUN; left > 0 && !stopped; left -= 1) {
      const removed = await evictEmbeddingCache(db, {
        olderThanDays: embeddingCacheDays,
        limit: VECTORS_PER_STATEMENT,
      });
      if (removed < VECTORS_PER_STATEMENT) return;
    }
  }

  async function run(): Promise<void> {
    await deleteExpiredKeys(db).catch((err: unknown) =>
      log.warn({ err }, 'old idempotency keys could not be removed'),
    );
    await evictVectors().catch((err: unknown) =>
      log.warn({ err }, 'old vectors could not be removed from the cache'),
    );
  }

  const next = (): void => {
    running = running.then(run);
  };

  return {
    /** Runs now and every hour. */
    start(): void {
      timer = setInterval(next, EVERY_MS);
      timer.unref();
      next();
    },

    /** Settles when no statement is on its way any more. */
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
