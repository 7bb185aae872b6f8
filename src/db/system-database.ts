import { asSystem } from '../workspace-context.ts';
import type { Database } from './database.ts';

/** The same database, whose statements are the service's own: they are about all workspaces, whoever has caused them. */
export const forSystem = (db: Database): Database => ({
  ...db,
  query: (sql, params) => asSystem(() => db.query(sql, params)),
  transaction: (work, options) => asSystem(() => db.transaction(work, options)),
});
