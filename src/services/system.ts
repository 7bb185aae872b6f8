import type { Readiness } from '../contract/system.ts';
import type { Database } from '../db/database.ts';
import { ping } from '../db/ping.ts';

export interface SystemServiceDeps {
  db: Database;
  embedding: Readiness['embedding'];
  models: Readiness['models'];
  /** Aborted when the process was told to stop. */
  stopping: AbortSignal;
}

/** Whether the service can do its work, and with what. */
export function createSystemService({ db, embedding, models, stopping }: SystemServiceDeps) {
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
      const accepting = stopping.aborted ? { ok: false, detail: 'The service is stopping.' } : { ok: true };
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
