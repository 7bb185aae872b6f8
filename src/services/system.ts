import type { Readiness } from '../contract/system.ts';
import type { Database } from '../db/database.ts';
import { ping } from '../db/ping.ts';

export interface SystemServiceDeps {
  db: Database;
  embedding: Readiness['embedding'];
  models: Readiness['models'];
  /** True from the moment the process was told to stop. */
  isStopping: () => boolean;
}

/** Whether the service can do its work, and with what. */
export function createSystemService({ db, embedding, models, isStopping }: SystemServiceDeps) {
  async function checkDatabase(): Promise<Readiness['accepting']> {
    try {
      await ping(db);
      return { ok: true };
    } catch {
      return { ok: false, detail: 'The database does not answer.' };
    }
  }

  return {
    async readiness(): Promise<Readiness> {
      const database = await checkDatabase();
      const accepting = isStopping() ? { ok: false, detail: 'The service is stopping.' } : { ok: true };
      return {
        object: 'readiness',
        ready: database.ok && accepting.ok,
        database: { ...database, kind: db.kind },
        accepting,
        embedding,
        models,
      };
    },
  };
}

export type SystemService = ReturnType<typeof createSystemService>;
