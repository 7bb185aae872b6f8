import { currentWorkspace } from '../workspace-context.ts';
import type { Queryable } from './database.ts';

/*
 * On a server each table that has a workspace_id has a policy (0021_row_level_security.sql): its rows are those of the
 * workspace in `forge.workspace`, or all with `*`. The owner of the tables is not subject to it; another role is, and whoever
 * says nothing sees nothing. The setting is made for one transaction, so that it also holds behind a pooler that hands
 * connections out by transaction, and ends with it.
 */

/** Whether the role that asks is kept to a workspace. Where there are no tables yet it is about to make and own them. */
export async function isConfined(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ confined: boolean }>(
    `select coalesce(row_security_active(to_regclass('projects')), false) as confined`,
  );
  return rows[0]?.confined === true;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * What begins a transaction in the present workspace, as one message.
 *
 * @param begin the statement that begins it
 * @throws Error where nobody has said which: what is read so would seem not to be there
 */
export function beginConfined(begin: string): string {
  const workspace = currentWorkspace();
  if (workspace === undefined) {
    throw new Error(
      'a statement was sent for no workspace: enter one (workspace-context.ts) where its work begins',
    );
  }
  if (workspace.includes('\\')) throw new Error('this is the id of no workspace');
  return `${begin}; set local forge.workspace = ${quoted(workspace)}`;
}
