import type { Database } from '../../db/database.ts';
import { findPause, holdRates, pauseProvider, updateRates } from '../../db/provider-rates.ts';
import { createRateMeter } from '../../embeddings/rate-meter.ts';
import type { SharedRates } from '../../embeddings/shared-rates.ts';

export interface SharedRatesDeps {
  /** Bound to the system: what several workspaces wait for is asked for by any of them. */
  db: Database;
  log: { warn(details: object, message: string): void };
}

/**
 * What all instances on the database ask of a provider and its model: their limits of time are one, and a pause that one of
 * them was asked for is kept by all. Where the database does not answer, each has its own.
 *
 * @param provider its name and its model's
 */
export function createSharedRates({ db, log }: SharedRatesDeps, provider: string): SharedRates {
  async function orNothing<T>(asked: Promise<T>, otherwise: T): Promise<T> {
    try {
      return await asked;
    } catch (err) {
      log.warn({ err, provider }, 'the limits of a provider could not be shared with other instances');
      return otherwise;
    }
  }

  return {
    take: (limits, tokens) =>
      orNothing(
        db.transaction(async (tx) => {
          const { used, pausedMs, now } = await holdRates(tx, provider);
          const meter = createRateMeter(limits, used);
          const waitMs = Math.max(pausedMs, meter.waitMs(tokens, now));
          if (waitMs > 0) return waitMs;
          meter.use(tokens, now);
          await updateRates(tx, provider, meter.used());
          return 0;
        }),
        0,
      ),
    pause: (ms) => orNothing(pauseProvider(db, provider, ms), undefined),
    pausedMs: () => orNothing(findPause(db, provider), 0),
  };
}
