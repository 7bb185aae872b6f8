import type { Queryable } from '../../../src/db/database.ts';
import { DEFAULT_WORKSPACE } from '../../../src/scope.ts';
import { insertRow } from './insert-row.ts';

interface IdempotencyKeyRow {
  idempotencyKey: string;
  fingerprint?: string;
  caller?: string;
  holder?: string;
  lockedUntil?: Date;
  createdAt?: Date;
}

/** A key of the default workspace whose request has no answer yet; anyone's where no caller is named. */
export async function storeIdempotencyKey(db: Queryable, key: IdempotencyKeyRow): Promise<void> {
  const usual = { workspaceId: DEFAULT_WORKSPACE, caller: 'open', fingerprint: 'POST /x' };
  await insertRow(db, 'idempotency_keys', { ...usual, ...key });
}
