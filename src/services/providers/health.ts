import type { Outage } from '../../contract/system.ts';
import type { EmbeddingInputType } from '../../embeddings/model.ts';

/** Which provider is called, and what for. */
export type ProviderUse = Pick<Outage, 'phase' | 'provider' | 'model'>;

/** How a call failed, after all its tries. */
export interface ProviderFailure {
  problem: Outage['problem'];
  /** What is wrong and what to do, in words that anybody may read. */
  detail: string;
  /** For the log alone. */
  cause: unknown;
}

/** So many calls have failed in this way since the start. */
export interface FailureCount {
  phase: Outage['phase'];
  problem: Outage['problem'];
  count: number;
}

/** Calls of the embedding model since the start that came through. */
export interface EmbeddingCount {
  input: EmbeddingInputType;
  calls: number;
  tokens: number;
}

interface HealthLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/**
 * Remembers, for each thing that providers are called for, whether its last call came through. A failure is an outage
 * until the next success; it is logged when it begins, when it changes its kind and when it ends.
 */
export function createProviderHealth(log: HealthLog, now: () => Date = () => new Date()) {
  const outages = new Map<Outage['phase'], Outage>();
  const counts = new Map<string, FailureCount>();
  const embeddings = new Map<EmbeddingInputType, EmbeddingCount>();

  return {
    failed(use: ProviderUse, { problem, detail, cause }: ProviderFailure): void {
      const { phase } = use;
      const key = `${phase} ${problem}`;
      counts.set(key, { phase, problem, count: (counts.get(key)?.count ?? 0) + 1 });
      const before = outages.get(phase);
      const since = before?.since ?? now().toISOString();
      outages.set(phase, { ...use, problem, detail, since, failures: (before?.failures ?? 0) + 1 });
      if (before?.problem !== problem) log.warn({ ...use, problem, err: cause }, 'a provider fails');
    },

    succeeded(use: ProviderUse): void {
      const outage = outages.get(use.phase);
      if (!outage) return;
      outages.delete(use.phase);
      const { since, failures } = outage;
      log.info({ ...use, since, failures }, 'a provider answers again');
    },

    /** A call of the embedding model came through. */
    embedded(input: EmbeddingInputType, tokens: number): void {
      const before = embeddings.get(input) ?? { calls: 0, tokens: 0 };
      embeddings.set(input, { input, calls: before.calls + 1, tokens: before.tokens + tokens });
    },

    embeddings: (): EmbeddingCount[] => [...embeddings.values()],

    /** What fails at the moment. */
    outages: (): Outage[] => [...outages.values()],

    /** Calls that failed since the start. */
    failures: (): FailureCount[] => [...counts.values()],
  };
}

export type ProviderHealth = ReturnType<typeof createProviderHealth>;
