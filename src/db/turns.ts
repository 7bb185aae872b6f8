import { type Receipt, storedReceiptSchema } from '../contract/receipt.ts';
import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';
import { type StoredTurn, TURN_COLUMNS, type TurnRow, toStoredTurn, UNSET_END } from './turn-record.ts';

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

/** Who works on a turn: an attempt of an instance. Each later statement about the turn proves it. */
export interface TurnLease {
  turnNumber: number;
  attempt: number;
  holder: string;
  seconds: number;
}

/** Puts a failed turn back in progress, with nothing of its last attempt left; gives it as it is then. */
export async function restartTurn(tx: Queryable, scope: Scope, lease: TurnLease): Promise<StoredTurn> {
  const key = [scope.workspaceId, scope.projectId, lease.turnNumber];
  const { rows } = await tx.query<TurnRow>(
    `update turns set status = 'in_progress', ${UNSET_END}, completed_at = null, lexical_length = null,
       attempt = $4, locked_by = $5, locked_until = now() + make_interval(secs => $6)
     where ${OF_PROJECT} and turn_number = $3 returning ${TURN_COLUMNS}`,
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

/**
 * Prolongs those of the leases of which less than a share of their length is left.
 *
 * @returns those that hold their turn no longer: it was ended by another, taken up again, or removed
 */
export async function prolongLeases<L extends TurnLease & { scope: Scope }>(
  db: Queryable,
  leases: readonly L[],
  share: number,
): Promise<L[]> {
  const { rows } = await db.query<{ position: number }>(
    `with l as (
       select * from unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::text[], $6::float8[])
         with ordinality as l(workspace_id, project_id, turn_number, attempt, locked_by, seconds, position)
     ), prolonged as (
       update turns t set locked_until = now() + make_interval(secs => l.seconds) from l
       where t.workspace_id = l.workspace_id and t.project_id = l.project_id and t.turn_number = l.turn_number
         and t.status = 'in_progress' and t.attempt = l.attempt and t.locked_by = l.locked_by
         and t.locked_until < now() + make_interval(secs => l.seconds * $7::float8)
     )
     select l.position::int from l left join turns t using (workspace_id, project_id, turn_number, attempt, locked_by)
     where t.status is distinct from 'in_progress'`,
    [
      leases.map(({ scope }) => scope.workspaceId),
      leases.map(({ scope }) => scope.projectId),
      leases.map(({ turnNumber }) => turnNumber),
      leases.map(({ attempt }) => attempt),
      leases.map(({ holder }) => holder),
      leases.map(({ seconds }) => seconds),
      share,
    ],
  );
  return rows.flatMap(({ position }) => leases[position - 1] ?? []);
}
