import type { Queryable } from '../../../src/db/database.ts';
import type { Scope } from '../../../src/scope.ts';
import { insertRow } from './insert-row.ts';

interface JobRow {
  subject: string;
  kind?: string;
  payload?: object;
  attempts?: number;
  maxAttempts?: number;
  runAt?: Date;
  lockedBy?: string;
  lockedUntil?: Date;
  weight?: number;
}

/** A job that nobody holds, due at once, for its only attempt, unless told otherwise. */
export async function storeJob(db: Queryable, scope: Scope, job: JobRow): Promise<void> {
  const { payload = {}, ...rest } = job;
  await insertRow(db, 'jobs', {
    ...scope,
    kind: 'ingest_file',
    payload: JSON.stringify(payload),
    maxAttempts: 1,
    ...rest,
  });
}
