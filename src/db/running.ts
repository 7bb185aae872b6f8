import type { Queryable } from './database.ts';

/** What is under way by itself, and counted by its workspace. */
export type RunningKind = 'turns' | 'research_runs';

/**
 * The condition, in SQL, that fewer of a kind are under way in the workspace `$1` than a parameter says; 0: any number are fine.
 * The transaction then holds their count: to be asked for behind everything else that it waits for.
 */
export const hasRoom = (kind: RunningKind, most: string): string =>
  `case when ${most}::bigint = 0 then true else hold_running('${kind}', $1) < ${most}::bigint end`;

/** Whether one more of a kind may begin in this transaction. @see hasRoom */
export async function findRoom(
  tx: Queryable,
  workspaceId: string,
  kind: RunningKind,
  most: number,
): Promise<boolean> {
  if (most === 0) return true;
  const { rows } = await tx.query<{ has_room: boolean }>(`select ${hasRoom(kind, '$2')} as has_room`, [
    workspaceId,
    most,
  ]);
  return rows[0]?.has_room === true;
}

/** How many of each kind are under way in the workspace; what was abandoned by its worker is not. */
export async function countRunning(
  db: Queryable,
  workspaceId: string,
): Promise<{ turns: number; research: number }> {
  const of = (table: RunningKind): string =>
    `(select count(*)::int from ${table} where workspace_id = $1 and status = 'in_progress' and locked_until >= now())`;
  const { rows } = await db.query<{ turns: number; research: number }>(
    `select ${of('turns')} as turns, ${of('research_runs')} as research`,
    [workspaceId],
  );
  if (!rows[0]) throw new Error('a count gave no row');
  return rows[0];
}
