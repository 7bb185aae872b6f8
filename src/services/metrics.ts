import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { OutlineCounts, OutlineTelemetry } from './outlines/telemetry.ts';
import type { ProviderHealth } from './providers/health.ts';

const OUTLINE_COUNTERS: Record<keyof OutlineCounts, { name: string; help: string }> = {
  builds: { name: 'forge_outline_builds_total', help: 'Outlines made with a version.' },
  rebuilds: {
    name: 'forge_outline_rebuilds_total',
    help: 'Outlines made again because the stored one did not fit.',
  },
  hits: { name: 'forge_outline_cache_hits_total', help: 'Outlines read from memory.' },
  misses: {
    name: 'forge_outline_cache_misses_total',
    help: 'Outlines that had to be read from the database.',
  },
  staleHits: {
    name: 'forge_outline_stale_hits_total',
    help: 'Reads of a document that has a newer version under way.',
  },
  notModified: { name: 'forge_outline_not_modified_total', help: 'Outlines that the client had already.' },
  tokensSaved: {
    name: 'forge_outline_tokens_saved_total',
    help: 'Tokens of the documents less those that were sent in their place.',
  },
  providerErrors: {
    name: 'forge_outline_provider_errors_total',
    help: 'Section searches that had to do without an embedding.',
  },
};

/** The service's numbers for Prometheus: of this process, since its start, never anything of a document. */
export function createMetricsService(outlines: OutlineTelemetry, health: ProviderHealth) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const [key, { name, help }] of Object.entries(OUTLINE_COUNTERS)) {
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(outlines.read()[key as keyof OutlineCounts]);
      },
    });
  }
  new Gauge({
    name: 'forge_outline_cache_hit_ratio',
    help: 'Share of the outlines read that came from memory.',
    registers: [registry],
    collect() {
      const { hits, misses } = outlines.read();
      this.set(hits + misses === 0 ? 0 : hits / (hits + misses));
    },
  });
  new Counter({
    name: 'forge_provider_failures_total',
    help: 'Calls to a provider that failed after all their tries, by what they were for and how they failed.',
    labelNames: ['phase', 'problem'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { phase, problem, count } of health.failures()) this.inc({ phase, problem }, count);
    },
  });
  for (const figure of ['calls', 'tokens'] as const) {
    new Counter({
      name: `forge_embedding_${figure}_total`,
      help: `Embedding ${figure}, of documents and of queries; those of the start belong to no project.`,
      labelNames: ['input'],
      registers: [registry],
      collect() {
        this.reset();
        for (const { input, ...counted } of health.embeddings()) this.inc({ input }, counted[figure]);
      },
    });
  }
  return { contentType: registry.contentType, read: () => registry.metrics() };
}

export type MetricsService = ReturnType<typeof createMetricsService>;
