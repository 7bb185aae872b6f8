import { type Receipt, storedReceiptSchema } from '../contract/receipt.ts';
import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';
import { type Lease, prolongLeases as prolong } from './followed.ts';
import { TURN_TABLES } from './turn-events.ts';
import {
  type StoredTurn,
  TURN_COLUMNS,
  type TurnRow,
  toStoredTurn,
  UNSET_END,
  WRITTEN_TURN_COLUMNS,
} from './turn-record.ts';

const SELECT = `select ${TURN_COLUMNS} from turns`;
const OF_PROJECT = 'workspace_id = $1 and project_id = $2';

export async function findTurn(db: Queryable, scope: Scope, turnNumber: number): Promise<StoredTurn | null> {
  const { rows } = await db.query<TurnRow>(`${SELECT} where ${OF_PROJECT} and turn_number = $3`, [
    scope.workspaceId,
    scope.projectId,
    turnNumber,
  ]);
  return rows[0] ? toStoredTurn(rows[0]) : null;
}

/** Turns in order of their number; `after` and `before` are exclusive bounds on it. */
export async function selectTurns(
  db: Queryable,
  scope: Scope,
  page: { after: string | null; before: string | null; limit: number; descending: boolean },
): Promise<StoredTurn[]> {
  const { rows } = await db.query<TurnRow>(
    `${SELECT} where ${OF_PROJECT} and ($3::bigint is null or turn_number > $3)
       and ($4::bigint is null or turn_number < $4)
     order by turn_number ${page.descending ? 'desc' : 'asc'} limit $5`,
    [scope.workspaceId, scope.projectId, page.after, page.before, page.limit],
  );
  return rows.map(toStoredTurn);
}

/** A turn's receipt; null when it has none. It is parsed, which few ask for: earlier ones lack what was added since. */
export async function findReceipt(db: Queryable, scope: Scope, turnNumber: number): Promise<Receipt | null> {
  const { rows } = await db.query<{ receipt: unknown }>(
    `select receipt from turns where ${OF_PROJECT} and turn_number = $3`,
    [scope.workspaceId, scope.projectId, turnNumber],
  );
  return storedReceiptSchema.nullable().parse(rows[0]?.receipt ?? null);
}

/** Who works on a turn. */
export interface TurnLease extends Lease {
  turnNumber: number;
}

/** Puts a failed turn back in progress, with nothing of its last attempt left; gives it as it is then. */
export async function restartTurn(tx: Queryable, scope: Scope, lease: TurnLease): Promise<StoredTurn> {
  const key = [scope.workspaceId, scope.projectId, lease.turnNumber];
  const { rows } = await tx.query<TurnRow>(
    `update turns set status = 'in_progress', ${UNSET_END}, completed_at = null, lexical_length = null,
       attempt = $4, locked_by = $5, locked_until = now() + make_interval(secs => $6)
     where ${OF_PROJECT} and turn_number = $3 returning ${WRITTEN_TURN_COLUMNS}`,
    [...key, lease.attempt, lease.holder, lease.seconds],
  );
  for (const table of ['turn_summaries', 'turn_postings', 'turn_events']) {
    await tx.query(`delete from ${table} where ${OF_PROJECT} and turn_number = $3`, key);
  }
  const [row] = rows;
  if (!row) throw new Error('a turn that is held gave no row');
  return toStoredTurn(row);
}

/** The condition that a turn is still the lease's, in a statement whose first parameters are `heldBy`. */
export const HELD = `${OF_PROJECT} and turn_number = $3 and status = 'in_progress' and attempt = $4 and locked_by = $5`;
export const heldBy = (scope: Scope, lease: TurnLease) => [
  scope.workspaceId,
  scope.projectId,
  lease.turnNumber,
  lease.attempt,
  lease.holder,
];

/** Prolongs leases of turns. @see prolong */
export const prolongLeases = <L extends TurnLease & { scope: Scope }>(
  db: Queryable,
  leases: readonly L[],
  share: number,
): Promise<L[]> => prolong(db, TURN_TABLES, { leases, idOf: ({ turnNumber }) => turnNumber, share });
