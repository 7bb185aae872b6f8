import type { KeptIndexes } from './vector-indexes.ts';

const EVERY_MS = 10 * 60 * 1000;

export interface VectorIndexKeeperDeps {
  /** Brings the indexes to what they are to be; undefined: this database has none. */
  keep: ((signal: AbortSignal) => Promise<KeptIndexes>) | undefined;
  log: { warn(details: object, message: string): void; info(details: object, message: string): void };
}

/** Keeps the indexes of large projects' vectors beside everything else: one can take many minutes to build. */
export function createVectorIndexKeeper({ keep, log }: VectorIndexKeeperDeps) {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let hasTold = false;

  async function run(work: NonNullable<typeof keep>): Promise<void> {
    try {
      const { built, dropped, left } = await work(stopping.signal);
      if (left.length > 0 && !hasTold) {
        hasTold = true;
        log.warn(
          { left },
          'indexes of vectors are for the owner of the tables to build: set DATABASE_MIGRATION_URL, or run `forge database indexes` as the owner; large projects are searched more slowly until then',
        );
      }
      if (built.length + dropped.length > 0)
        log.info({ built, dropped }, 'indexes of vectors were brought up to date');
    } catch (err) {
      if (!stopping.signal.aborted)
        log.warn({ err }, 'the indexes of vectors could not be brought up to date');
    }
  }

  const next = (): void => {
    if (!keep) return;
    running ??= run(keep).finally(() => {
      running = undefined;
    });
  };

  return {
    /** Runs now and every ten minutes. */
    start(): void {
      timer = setInterval(next, EVERY_MS);
      timer.unref();
      next();
    },

    /** Ends what is being built, which is begun again at the next start; settles when nothing is on its way any more. */
    async stop(): Promise<void> {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}

export type VectorIndexKeeper = ReturnType<typeof createVectorIndexKeeper>;
