import type { Database } from '../db/database.ts';
import { ping } from '../db/ping.ts';

/** One part that must work for the service to be ready. */
export interface Check {
  ok: boolean;
  detail?: string;
}

export interface SystemServiceDeps {
  db: Database;
  embedding: { provider: string; model: string; dimensions: number };
  models: { provider: string; answer: string; router: string; summary: string };
  /** Aborted when the process was told to stop. */
  stopping: AbortSignal;
}

/** Whether the service can do its work, and with what. */
export function createSystemService({ db, embedding, models, stopping }: SystemServiceDeps) {
  async function checkDatabase(): Promise<Check> {
    try {
      await ping(db);
      return { ok: true };
    } catch {
      return { ok: false, detail: 'The database does not answer.' };
    }
  }

  return {
    async readiness() {
      const database = await checkDatabase();
      const accepting: Check = stopping.aborted
        ? { ok: false, detail: 'The service is stopping.' }
        : { ok: true };
      return {
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
