import type { Database, Queryable } from './database.ts';

/** What is told of a statement that has ended; its parameters are not, since they hold what people wrote. */
export interface EndedStatement {
  sql: string;
  /** Until its answer was there, the wait for a connection included. */
  ms: number;
  /** Rows returned or changed; left out when it failed. */
  rows?: number;
  /** What it was rejected with. */
  error?: unknown;
}

/** The same as it is logged. */
export interface StatementEntry extends Pick<EndedStatement, 'ms' | 'rows'> {
  /** On one line. */
  sql: string;
  /** SQLSTATE, or the error's name where there is none; messages may quote values. */
  failed?: string;
}

function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** A statement as an entry of the log. */
export function statementEntry({ sql, ms, error, ...statement }: EndedStatement): StatementEntry {
  return {
    sql: sql.replace(/\s+/g, ' ').trim(),
    ms: Math.round(ms * 100) / 100,
    ...statement,
    ...(error !== undefined && { failed: failureOf(error) }),
  };
}

/** The same database, each of whose statements is told when it has ended. */
export function watchStatements(db: Database, tell: (statement: EndedStatement) => void): Database {
  const watched = (queryable: Queryable): Queryable => ({
    async query(sql, params) {
      const begin = performance.now();
      try {
        const result = await queryable.query<never>(sql, params);
        tell({ sql, ms: performance.now() - begin, rows: result.rowCount });
        return result;
      } catch (error) {
        tell({ sql, ms: performance.now() - begin, error });
        throw error;
      }
    },
  });
  return {
    ...db,
    ...watched(db),
    transaction: (work, options) => db.transaction((tx) => work(watched(tx)), options),
    snapshot: (work) => db.snapshot((view) => work(watched(view))),
  };
}
