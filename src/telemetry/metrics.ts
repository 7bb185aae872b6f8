import { collectDefaultMetrics, Registry } from 'prom-client';
import { createDatabaseMetrics } from './metrics/database.ts';
import { createFigures } from './metrics/figures.ts';
import { createHttpMetrics } from './metrics/http.ts';
import { createJobMetrics } from './metrics/jobs.ts';
import { createProviderMetrics } from './metrics/providers.ts';
import { createRunMetrics } from './metrics/runs.ts';

/**
 * The service's numbers for Prometheus: of this process, since its start. Labels are names of operations, phases, kinds,
 * codes and configured models: never anything of a document, a project or a caller, so that their number is bounded.
 * `docs/operations.md` has the table of all metrics.
 */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    http: createHttpMetrics(registry),
    providers: createProviderMetrics(registry),
    runs: createRunMetrics(registry),
    jobs: createJobMetrics(registry),
    database: createDatabaseMetrics(registry),
    figures: createFigures(registry),
    contentType: registry.contentType,
    /** All of them, in the text format of Prometheus. */
    read: () => registry.metrics(),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
