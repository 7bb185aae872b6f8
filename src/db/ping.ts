import type { Queryable } from './database.ts';

/** Settles when the database answers; rejects when it does not. */
export async function ping(db: Queryable): Promise<void> {
  await db.query('select 1');
}
