import { asSystem, inWorkspace } from '../workspace-context.ts';
import type { Database } from './database.ts';

type Within = <T>(work: () => T) => T;

const bound = (db: Database, within: Within): Database => ({
  ...db,
  query: (sql, params) => within(() => db.query(sql, params)),
  transaction: (work, options) => within(() => db.transaction(work, options)),
  snapshot: (work) => within(() => db.snapshot(work)),
});

/** The same database, whose statements are about all workspaces, whoever has caused them: for the service's own work. */
export const forSystem = (db: Database): Database => bound(db, asSystem);

/**
 * The same database, whose statements are about one workspace wherever they are sent from: for what goes on after its
 * request, or is asked for by a timer or a stream that knows of none.
 */
export const forWorkspace = (db: Database, workspaceId: string): Database =>
  bound(db, (work) => inWorkspace(workspaceId, work));
