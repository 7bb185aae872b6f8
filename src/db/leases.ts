import type { Queryable } from './database.ts';

/**
 * Ends every lease on jobs, idempotency keys, turns and runs. Only for a process that has the database to itself, at its start: whoever held
 * them is gone, and their work need not wait until the leases run out.
 */
export async function endAllLeases(db: Queryable): Promise<void> {
  await db.query('update jobs set locked_by = null, locked_until = null where locked_until is not null');
  await db.query('update idempotency_keys set locked_until = now() where locked_until is not null');
  for (const owners of ['turns', 'research_runs']) {
    await db.query(
      `update ${owners} set locked_until = now() - interval '1 second' where status = 'in_progress'`,
    );
  }
}
