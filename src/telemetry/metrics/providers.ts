import { Counter, Histogram, type Registry } from 'prom-client';
import { LONG_SECONDS } from './buckets.ts';

/** What a provider is called for, as the settings name it. */
export interface CalledFor {
  phase: string;
  provider: string;
  model: string;
}

/** Tokens of a call; `inputTokens` has the cached ones in it. */
export interface SpentTokens {
  inputTokens: number;
  cachedTokens?: number;
  cacheWriteTokens?: number;
  outputTokens?: number;
}

const USE = ['phase', 'provider', 'model'] as const;

/** Calls of language and embedding models and of rerankers, with all their tries. */
export function createProviderMetrics(registry: Registry) {
  const registers = [registry];
  const durations = new Histogram({
    name: 'forge_provider_call_duration_seconds',
    help: 'Calls of models, with all their tries, by how they ended: ok, aborted, or the kind of failure.',
    labelNames: [...USE, 'outcome'] as const,
    buckets: LONG_SECONDS,
    registers,
  });
  const tokens = new Counter({
    name: 'forge_provider_tokens_total',
    help: 'Tokens as the providers counted them: input (cached and cache_write apart) and output.',
    labelNames: [...USE, 'kind'] as const,
    registers,
  });
  const cost = new Counter({
    name: 'forge_provider_cost_usd_total',
    help: 'Estimate of what the calls cost, from list prices, in US dollars.',
    labelNames: USE,
    registers,
  });
  const unpriced = new Counter({
    name: 'forge_provider_unpriced_calls_total',
    help: 'Calls whose price is not known: the cost lacks them.',
    labelNames: USE,
    registers,
  });
  const retries = new Counter({
    name: 'forge_provider_retries_total',
    help: 'Tries that failed and were followed by another; `rate_limited`: the provider asked for fewer requests.',
    labelNames: [...USE, 'reason'] as const,
    registers,
  });
  const fallbacks = new Counter({
    name: 'forge_provider_fallbacks_total',
    help: 'Times that the service went on without a provider: the probe of the turn before, a search by words alone or in its own order, an extract for a summary.',
    labelNames: ['phase'] as const,
    registers,
  });
  return {
    called: (use: CalledFor, outcome: string, seconds: number) =>
      durations.observe({ ...use, outcome }, seconds),

    /** @param costUsd null: not known */
    spent(use: CalledFor, used: SpentTokens, costUsd: number | null): void {
      const { inputTokens, cachedTokens = 0, cacheWriteTokens = 0, outputTokens = 0 } = used;
      const plain = Math.max(0, inputTokens - cachedTokens - cacheWriteTokens);
      tokens.inc({ ...use, kind: 'input' }, plain);
      tokens.inc({ ...use, kind: 'cached' }, cachedTokens);
      tokens.inc({ ...use, kind: 'cache_write' }, cacheWriteTokens);
      tokens.inc({ ...use, kind: 'output' }, outputTokens);
      if (costUsd === null) unpriced.inc({ ...use });
      else cost.inc({ ...use }, costUsd);
    },

    retried: (use: CalledFor, rateLimited: boolean) =>
      retries.inc({ ...use, reason: rateLimited ? 'rate_limited' : 'failed' }),

    fellBack: (phase: 'route' | 'embed' | 'rerank' | 'summary') => fallbacks.inc({ phase }),
  };
}

export type ProviderMetrics = ReturnType<typeof createProviderMetrics>;
