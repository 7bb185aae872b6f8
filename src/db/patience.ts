import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from '../errors.ts';
import type { Database } from './database.ts';

/** Short outages are over at once, long ones must not be asked about all the time. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** How long the database's trouble is waited out. */
export interface Patience {
  forMs: number;
  /** Told of each failure that is waited out. */
  onPause?: (error: DatabaseError) => void;
}

/** Does the work, again and again while the database is in trouble and nothing of the work was done, for a bounded time. */
async function waitOut<T>(work: () => Promise<T>, { forMs, onPause }: Patience): Promise<T> {
  const end = performance.now() + forMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DatabaseError && error.mayGoThrough) || performance.now() >= end) throw error;
      onPause?.(error);
      await delay(pause);
    }
  }
}

/**
 * The same database for work that nobody waits for with a request open: a statement or a transaction that met an outage is
 * done again, if it is certain that nothing of it was done, before its failure is told. So a transaction's work may be called
 * more than once.
 */
export const patientDatabase = (db: Database, patience: Patience): Database => ({
  ...db,
  query: (sql, params) => waitOut(() => db.query(sql, params), patience),
  transaction: (work, options) => waitOut(() => db.transaction(work, options), patience),
});
