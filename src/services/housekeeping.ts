import type { Database } from '../db/database.ts';
import { evictEmbeddingCache } from '../db/embedding-cache.ts';
import { deleteExpiredKeys } from '../db/idempotency.ts';
import { selectKeyUse } from '../db/original-keys.ts';
import { discardAbandonedImports } from '../db/project-restore.ts';
import { sweepBuckets } from '../db/rate-limits.ts';
import { enqueueIndexing } from './lexical-index.ts';
import type { Originals } from './originals/originals.ts';
import { rotateOriginals } from './originals/rotate.ts';
import { type Retention, removeOld } from './retention.ts';
import { enqueueSegments } from './segments.ts';
import { resealSecrets } from './webhooks/reseal.ts';
import type { SecretStore } from './webhooks/secrets.ts';

const EVERY_MS = 60 * 60 * 1000;
// A run takes what it does not reach the next time: statements of some milliseconds, and a second of them at most.
const VECTORS_PER_STATEMENT = 500;
const STATEMENTS_PER_RUN = 40;

export interface HousekeepingDeps {
  db: Database;
  /** A cached vector that no run has used for so many days goes. */
  embeddingCacheDays: number;
  /** Told that jobs were committed. */
  onJob: () => void;
  originals: Originals;
  webhookSecrets: SecretStore;
  retention: Retention;
  log: { warn(details: object, message: string): void; info(details: object, message: string): void };
}

/**
 * What is done in the background, and asked for by nobody. Idempotency keys of more than a day ago go, and vectors of the
 * embedding cache that were not used for long: leaves and summaries have their own, so nothing is lost but the saving
 * should the same text come back; and rate limits that nobody reaches. So does what an import stored that broke off. What
 * another build of the lexical index has indexed is indexed again, what the settings do not keep for ever is removed when it
 * has grown old, and originals and secrets of webhooks are brought to the key that is
 * written with.
 */
export function createHousekeeping({
  db,
  embeddingCacheDays,
  originals,
  webhookSecrets,
  retention,
  onJob,
  log,
}: HousekeepingDeps) {
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

  // later rounds find what an older instance beside this one wrote; of a newer one's, each would undo the other's
  let builds: 'other' | 'older' = 'other';
  async function indexAgain(): Promise<void> {
    await enqueueIndexing(db, builds);
    builds = 'older';
    onJob();
  }

  async function forget(): Promise<void> {
    const removed = await removeOld(db, retention, { isStopped: () => stopped });
    if (Object.keys(removed).length > 0) log.info({ removed }, 'what had grown old was removed');
  }

  async function rotateKeys(): Promise<void> {
    const use = await selectKeyUse(db);
    const missing = use.filter(({ keyId }) => keyId !== null && !originals.known.includes(keyId));
    if (missing.length > 0)
      log.warn(
        { missing },
        'ENCRYPTION_KEYS lacks keys that originals or secrets of webhooks are encrypted with',
      );
    const rotated = await rotateOriginals(db, originals, { isStopped: () => stopped });
    if (rotated > 0) log.info({ rotated, key: originals.active }, 'originals were encrypted anew');
    const webhooks = await resealSecrets(db, webhookSecrets, { isStopped: () => stopped });
    if (webhooks > 0)
      log.info({ webhooks, key: originals.active }, 'secrets of webhooks were encrypted anew');
  }

  async function run(): Promise<void> {
    const failed = (message: string) => (err: unknown) => log.warn({ err }, message);
    await indexAgain().catch(failed('what another build has indexed could not be looked for'));
    await enqueueSegments(db).catch(failed('large projects could not be looked for'));
    await discardAbandonedImports(db).catch(failed('imports that had broken off could not be removed'));
    await deleteExpiredKeys(db).catch(failed('old idempotency keys could not be removed'));
    await sweepBuckets(db).catch(failed('rate limits that nobody reaches could not be removed'));
    await evictVectors().catch(failed('old vectors could not be removed from the cache'));
    await forget().catch(failed('what has grown old could not be removed'));
    await rotateKeys().catch(failed('originals and secrets could not be encrypted with the first key'));
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

export type Housekeeping = ReturnType<typeof createHousekeeping>;
