import type { Readiness } from '../contract/system.ts';
import type { Database } from '../db/database.ts';
import { ping } from '../db/ping.ts';
import { retirementOf } from '../llm/retirement.ts';
import { foreignVectors } from './embedding-settings.ts';
import type { ProviderHealth } from './providers/health.ts';

export interface SystemServiceDeps {
  db: Database;
  embedding: Readiness['embedding'];
  models: Readiness['models'];
  health: ProviderHealth;
  /** Aborted when the process was told to stop. */
  stopping: AbortSignal;
}

/** Whether the service can do its work, and with what. */
export function createSystemService({ db, embedding, models, health, stopping }: SystemServiceDeps) {
  const inUse = [...new Set([models.answer, models.router, models.summary])];
  const retirements = inUse.flatMap((model) => {
    const retirement = retirementOf(model);
    return retirement ? [{ model, ...retirement }] : [];
  });

  let takenOverSince: string | undefined;

  async function checkDatabase(): Promise<Readiness['accepting']> {
    try {
      await ping(db);
      return { ok: true };
    } catch {
      return { ok: false, detail: 'The database does not answer.' };
    }
  }

  /** The outage that begins when another embedding model takes over: searches go by words until the service is started again. */
  async function takeover(): Promise<Readiness['reasons']> {
    const { provider, model, dimensions } = embedding;
    const detail = await foreignVectors(db, { provider, id: model, dimensions });
    if (detail === null) {
      takenOverSince = undefined;
      return [];
    }
    takenOverSince ??= new Date().toISOString();
    return [
      {
        phase: 'embed',
        provider,
        model,
        problem: 'settings',
        since: takenOverSince,
        failures: 0,
        detail: `${detail} Until then uploads wait, and searches go by words alone.`,
      },
    ];
  }

  return {
    /** What answers and what makes vectors. */
    providers: { embedding, models },

    async readiness(): Promise<Readiness> {
      const database = await checkDatabase();
      const accepting = stopping.aborted ? { ok: false, detail: 'The service is stopping.' } : { ok: true };
      const ready = database.ok && accepting.ok;
      const reasons = [...health.outages(), ...(database.ok ? await takeover() : [])];
      return {
        object: 'readiness',
        ready,
        status: ready ? (reasons.length > 0 ? 'degraded' : 'ok') : 'unavailable',
        reasons,
        database: { ...database, kind: db.kind },
        accepting,
        embedding,
        models,
        retirements,
      };
    },
  };
}

export type SystemService = ReturnType<typeof createSystemService>;
