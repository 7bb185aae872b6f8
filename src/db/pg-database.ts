import pg from 'pg';
import type { Database, Queryable, QueryResult } from './database.ts';
import { createTransactionGuard } from './transaction-guard.ts';

/** Options of the server backing. */
export interface PgDatabaseOptions {
  url: string;
  /** Connections held at most. */
  poolSize: number;
  statementTimeoutMs?: number;
  /** Told of failures of idle connections, which belong to no query. */
  onError?: (error: Error) => void;
}

async function run<R>(
  client: pg.Pool | pg.PoolClient,
  sql: string,
  params?: readonly unknown[],
): Promise<QueryResult<R>> {
  const result = await client.query(sql, params === undefined ? undefined : [...params]);
  // a text of several statements answers with one result each
  const last = Array.isArray(result) ? result[result.length - 1] : result;
  return { rows: (last?.rows ?? []) as R[], rowCount: last?.rowCount ?? 0 };
}

/** A pool of connections to a real Postgres. */
export function openPgDatabase(options: PgDatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    statement_timeout: options.statementTimeoutMs ?? 60_000,
    connectionTimeoutMillis: 10_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'forge',
  });
  pool.on('error', (error) => options.onError?.(error));
  const guard = createTransactionGuard();

  return {
    kind: 'server',

    async query<R>(sql: string, params?: readonly unknown[]) {
      guard.assertOutside();
      return run<R>(pool, sql, params);
    },

    async transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
      guard.assertOutside();
      const client = await pool.connect();
      let broken: Error | undefined;
      try {
        await client.query('begin');
        const result = await guard.inside(() =>
          work({ query: <R>(sql: string, params?: readonly unknown[]) => run<R>(client, sql, params) }),
        );
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch((failure: unknown) => {
          broken = failure instanceof Error ? failure : new Error(String(failure));
        });
        throw error;
      } finally {
        client.release(broken);
      }
    },

    async close() {
      await pool.end();
    },
  };
}
