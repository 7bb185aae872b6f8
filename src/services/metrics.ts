import { outageSchema } from '../contract/system.ts';
import type { Connections, Database } from '../db/database.ts';
import type { SearchDatabase } from '../db/search-database.ts';
import type { Converter } from '../documents/conversion/pool.ts';
import type { EmbeddingModel } from '../embeddings/model.ts';
import type { RerankModel } from '../reranking/model.ts';
import type { Figures } from '../telemetry/metrics/figures.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { version } from '../version.ts';
import type { AuditLog } from './audit.ts';
import { addOutlineFigures } from './metrics/outlines.ts';
import { addProcessFigures } from './metrics/processes.ts';
import { addQueueFigures } from './metrics/queue.ts';
import type { OutlineTelemetry } from './outlines/telemetry.ts';
import type { ProviderHealth } from './providers/health.ts';

export interface MetricsServiceDeps {
  metrics: Metrics;
  db: Database;
  searchDb: SearchDatabase;
  converter: Converter;
  embeddingModel: EmbeddingModel;
  rerankModel: RerankModel | null;
  telemetry: OutlineTelemetry;
  health: ProviderHealth;
  audit: AuditLog;
}

/** The service's numbers for Prometheus, with those that its parts keep and that are read at every scrape. */
export function createMetricsService(deps: MetricsServiceDeps) {
  const { http, figures, contentType, read } = deps.metrics;
  figures.gauge({
    name: 'forge_build_info',
    help: 'The version of the service and of Node.js; always 1.',
    labelNames: ['version', 'node'],
    read: () => [{ labels: { version, node: process.version }, value: 1 }],
  });
  addOutlineFigures(figures, deps.telemetry);
  addProviderFigures(figures, deps.health);
  addQueueFigures(figures, deps.db);
  addConnectionFigures(figures, deps.db);
  addReplicaFigures(figures, deps.searchDb);
  addProcessFigures(figures, deps);
  figures.gauge({
    name: 'forge_audit_events_waiting',
    help: 'Events of the audit log that are in memory still.',
    read: () => [{ value: deps.audit.waiting() }],
  });
  return { http, contentType, read };
}

export type MetricsService = ReturnType<typeof createMetricsService>;

function addProviderFigures(figures: Figures, health: ProviderHealth): void {
  figures.counter({
    name: 'forge_provider_failures_total',
    help: 'Calls to a provider that failed after all their tries, by what they were for and how they failed.',
    labelNames: ['phase', 'problem'],
    read: () => {
      const counted = new Map(health.failures().map((each) => [`${each.phase} ${each.problem}`, each.count]));
      // from 0 on: the first of a kind is seen to be one more only where there was something before
      return outageSchema.shape.phase.options.flatMap((phase) =>
        outageSchema.shape.problem.options.map((problem) => ({
          labels: { phase, problem },
          value: counted.get(`${phase} ${problem}`) ?? 0,
        })),
      );
    },
  });
  for (const figure of ['calls', 'tokens'] as const) {
    figures.counter({
      name: `forge_embedding_${figure}_total`,
      help: `Embedding ${figure}, of documents and of queries; those of the start belong to no project.`,
      labelNames: ['input'],
      read: () =>
        health.embeddings().map(({ input, ...counted }) => ({ labels: { input }, value: counted[figure] })),
    });
  }
}

function addConnectionFigures(figures: Figures, { connections }: Database): void {
  if (!connections) return;
  figures.gauge({
    name: 'forge_database_connections',
    help: 'Connections to the database: used, idle, and most of them that there may be.',
    labelNames: ['state'],
    read: () => connectionStates(connections()),
  });
  figures.gauge({
    name: 'forge_database_waiting',
    help: 'Statements and transactions that wait for a connection; of the embedded database: for those before them.',
    read: () => [{ value: connections().waiting }],
  });
}

function addReplicaFigures(figures: Figures, { connections }: SearchDatabase): void {
  figures.gauge({
    name: 'forge_replica_connections',
    help: 'Connections to the replicas that searches read: used, idle, and most of them that there may be.',
    labelNames: ['state'],
    read: () => (connections ? connectionStates(connections()) : []),
  });
}

function connectionStates({ waiting: _, ...states }: Connections) {
  return Object.entries(states).map(([state, value]) => ({ labels: { state }, value }));
}
