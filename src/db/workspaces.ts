import type { Queryable } from './database.ts';

/** Whether there is a workspace of this id. */
export async function isWorkspace(db: Queryable, workspaceId: string): Promise<boolean> {
  const { rows } = await db.query('select 1 from workspaces where workspace_id = $1', [workspaceId]);
  return rows.length > 0;
}
