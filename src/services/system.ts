import type { Readiness } from '../contract/system.ts';
import type { Database } from '../db/database.ts';
import { ping } from '../db/ping.ts';
import { retirementOf } from '../llm/retirement.ts';
import { within } from '../within.ts';
import { foreignVectors } from './embedding-settings.ts';
import type { ProviderHealth } from './providers/health.ts';

export interface SystemServiceDeps {
  db: Database;
  embedding: Readiness['embedding'];
  rerank: Readiness['rerank'];
  models: Readiness['models'];
  health: ProviderHealth;
  /** Aborted when the process was told to stop. */
  draining: AbortSignal;
  /** How long the database has to answer; left out: as its kind deserves. */
  answerMs?: number;
}

/**
 * A server answers at once or is not there. The embedded database has one connection, which a large file's sections may
 * keep busy for some seconds while all is well.
 */
const ANSWER_MS = { server: 1_000, embedded: 10_000 } as const;

interface DatabaseCheck {
  database: Readiness['accepting'];
  reasons: Readiness['reasons'];
}

const SILENT: DatabaseCheck = {
  database: { ok: false, detail: 'The database does not answer.' },
  reasons: [],
};

/** Whether the service can do its work, and with what. */
export function createSystemService(deps: SystemServiceDeps) {
  const { db, embedding, rerank, models, health, draining, answerMs = ANSWER_MS[db.kind] } = deps;
  const inUse = [...new Set([models.answer, models.router, models.summary])];
  const retirements = inUse.flatMap((model) => {
    const retirement = retirementOf(model);
    return retirement ? [{ model, ...retirement }] : [];
  });

  let takenOverSince: string | undefined;

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

  async function askDatabase(): Promise<DatabaseCheck> {
    try {
      await ping(db);
      return { database: { ok: true }, reasons: await takeover() };
    } catch {
      return SILENT;
    }
  }

  // one question at a time: those that a server which hangs leaves unanswered must not take up the whole pool
  let asked: Promise<DatabaseCheck> | undefined;
  function checkDatabase(): Promise<DatabaseCheck> {
    asked ??= askDatabase().finally(() => {
      asked = undefined;
    });
    return within(asked, answerMs, SILENT);
  }

  return {
    /** What answers, what makes vectors and what orders. */
    providers: { embedding, rerank, models },

    async readiness(): Promise<Readiness> {
      const { database, reasons: ofDatabase } = await checkDatabase();
      const accepting = draining.aborted ? { ok: false, detail: 'The service is stopping.' } : { ok: true };
      const ready = database.ok && accepting.ok;
      const reasons = [...health.outages(), ...ofDatabase];
      return {
        object: 'readiness',
        ready,
        status: ready ? (reasons.length > 0 ? 'degraded' : 'ok') : 'unavailable',
        reasons,
        database: { ...database, kind: db.kind },
        accepting,
        embedding,
        rerank,
        models,
        retirements,
      };
    },
  };
}

export type SystemService = ReturnType<typeof createSystemService>;
