import type { EndedStatement } from '../../db/statement-log.ts';
import { DatabaseError } from '../../errors.ts';
import type { DatabaseMetrics } from '../../telemetry/metrics/database.ts';

/** Measures a statement that has ended. */
export function measureStatement(metrics: DatabaseMetrics, { ms, error }: EndedStatement): void {
  const trouble = error instanceof DatabaseError ? error.trouble : error === undefined ? null : 'refused';
  metrics.ended(ms / 1_000, trouble);
}
