import pg from 'pg';
import type { Database, Queryable, QueryResult } from './database.ts';
import { createTransactionGuard } from './transaction-guard.ts';

/** Options of the server backing. */
export interface PgDatabaseOptions {
  url: string;
  /** Connections held at most. */
  poolSize: number;
  statementTimeoutMs?: number;
  /** Whether each connection keeps the statements that it has run; left out: yes. */
  prepare?: boolean;
  /** Told of failures of idle connections, which belong to no query. */
  onError?: (error: Error) => void;
}

/** Texts that are kept at most, by each connection: many times what there is, should one ever be put together anew. */
const MOST_PREPARED = 1_000;
const names = new Map<string, string>();

/**
 * The name under which a connection keeps a statement, so that it is parsed, and as a rule planned, once only: a turn takes a
 * tenth to a fifth less time. The server plans again what a change of a table or of its statistics concerns.
 */
function nameOf(sql: string): string | undefined {
  const known = names.get(sql);
  if (known !== undefined || names.size >= MOST_PREPARED) return known;
  const name = `forge_${names.size}`;
  names.set(sql, name);
  return name;
}

async function run<R>(
  client: pg.Pool | pg.PoolClient,
  prepare: boolean,
  sql: string,
  params?: readonly unknown[],
): Promise<QueryResult<R>> {
  // several statements in one text have no parameters, and cannot be prepared
  const name = prepare && params !== undefined ? nameOf(sql) : undefined;
  const result = await client.query({
    text: sql,
    ...(params !== undefined && { values: [...params] }),
    ...(name !== undefined && { name }),
  });
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
  const prepare = options.prepare ?? true;

  return {
    kind: 'server',

    async query<R>(sql: string, params?: readonly unknown[]) {
      guard.assertOutside();
      return run<R>(pool, prepare, sql, params);
    },

    async transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
      guard.assertOutside();
      const client = await pool.connect();
      let broken: Error | undefined;
      try {
        await client.query('begin');
        const result = await guard.inside(() =>
          work({
            query: <R>(sql: string, params?: readonly unknown[]) => run<R>(client, prepare, sql, params),
          }),
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
