import { Counter, Histogram, type Registry } from 'prom-client';
import { SHORT_SECONDS } from './buckets.ts';

/** Statements, as this process sees them. */
export function createDatabaseMetrics(registry: Registry) {
  const registers = [registry];
  const statements = new Histogram({
    name: 'forge_database_statement_duration_seconds',
    help: 'Statements until their answer was there, the wait for a connection included.',
    buckets: SHORT_SECONDS,
    registers,
  });
  const errors = new Counter({
    name: 'forge_database_errors_total',
    help: 'Statements that failed: unavailable, full, unstorable (the database or the way to it), refused (the statement).',
    labelNames: ['trouble'] as const,
    registers,
  });
  for (const trouble of ['unavailable', 'full', 'unstorable', 'refused']) errors.inc({ trouble }, 0);
  const searches = new Counter({
    name: 'forge_replica_searches_total',
    help: 'Searches with DATABASE_READ_URL set: served by a replica, or by the server itself, since the replica was behind or failed.',
    labelNames: ['outcome'] as const,
    registers,
  });
  for (const outcome of ['served', 'behind', 'failed']) searches.inc({ outcome }, 0);
  return {
    replicaSearch(outcome: 'served' | 'behind' | 'failed'): void {
      searches.inc({ outcome });
    },
    /** @param trouble null: it came through */
    ended(seconds: number, trouble: string | null): void {
      statements.observe(seconds);
      if (trouble !== null) errors.inc({ trouble });
    },
  };
}

export type DatabaseMetrics = ReturnType<typeof createDatabaseMetrics>;
