import type { Database, Queryable } from './database.ts';

/** What is told of a statement that has ended; its parameters are not, since they hold what people wrote. */
export interface StatementEntry {
  /** On one line. */
  sql: string;
  /** Until its answer was there, the wait for a connection included. */
  ms: number;
  /** Rows returned or changed; left out when it failed. */
  rows?: number;
  /** SQLSTATE, or the error's name where there is none; messages may quote values. */
  failed?: string;
}

function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** The same database, each of whose statements is told to `log` when it has ended. */
export function logStatements(db: Database, log: (entry: StatementEntry) => void): Database {
  const logged = (queryable: Queryable): Queryable => ({
    async query(sql, params) {
      const begin = performance.now();
      const tell = (outcome: Pick<StatementEntry, 'rows' | 'failed'>) => {
        const ms = Math.round((performance.now() - begin) * 100) / 100;
        log({ sql: sql.replace(/\s+/g, ' ').trim(), ms, ...outcome });
      };
      try {
        const result = await queryable.query<never>(sql, params);
        tell({ rows: result.rowCount });
        return result;
      } catch (error) {
        tell({ failed: failureOf(error) });
        throw error;
      }
    },
  });
  return {
    ...db,
    ...logged(db),
    transaction: (work, options) => db.transaction((tx) => work(logged(tx)), options),
    snapshot: (work) => db.snapshot((view) => work(logged(view))),
  };
}
