import type pg from 'pg';
import type { Database, Queryable, TransactionOptions } from './database.ts';
import { endsConnection } from './failures.ts';
import { createConnections, type PgConnectionOptions } from './pg-connections.ts';
import { createConfinement, progressOf, run, runConfined } from './pg-statements.ts';
import { beginConfined } from './row-security.ts';
import { createTransactionGuard } from './transaction-guard.ts';

/** Options of the server backing. */
export interface PgDatabaseOptions extends PgConnectionOptions {
  /** Whether each connection keeps the statements that it has run; left out: unless a pooler shares it out. */
  prepare?: boolean;
}

/** Timers of Node know no more. */
const NEVER_MS = 2 ** 31 - 1;
const NO_LIMITS = 'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0';

/**
 * A pool of connections to a real Postgres. Whatever is wrong with the server or with a connection to it rejects with a
 * `DatabaseError`, and the next statement has another connection.
 */
export function openPgDatabase(options: PgDatabaseOptions): Database {
  const connections = createConnections(options);
  const guard = createTransactionGuard();
  const isConfinedOn = createConfinement();
  const prepares = (): boolean => options.prepare ?? !connections.areShared();
  const plain = { prepare: false } as const;

  /** @param begin the statement that begins it */
  async function inTransaction<T>(
    begin: string,
    work: (tx: Queryable) => Promise<T>,
    { unlimited = false }: TransactionOptions,
  ): Promise<T> {
    guard.assertOutside();
    const answerTimeoutMs = unlimited ? NEVER_MS : undefined;
    return connections.with(async (client) => {
      const terms = { prepare: prepares(), progress: 'uncommitted', answerTimeoutMs } as const;
      const confined = (await isConfinedOn(client)) ? beginConfined(begin) : begin;
      await run(client, { ...plain, progress: 'not-sent' }, connections.begin(confined));
      let result: T;
      try {
        if (unlimited) await run(client, { ...plain, progress: 'uncommitted' }, NO_LIMITS);
        result = await guard.inside(() =>
          work({
            query: <R>(sql: string, params?: readonly unknown[]) => run<R>(client, terms, sql, params),
          }),
        );
      } catch (error) {
        await rollBack(client, error);
        throw error;
      }
      await run(client, { ...plain, progress: 'sent', answerTimeoutMs }, 'commit');
      return result;
    });
  }

  return {
    kind: 'server',

    async query<R>(sql: string, params?: readonly unknown[]) {
      guard.assertOutside();
      return connections.with(async (client) => {
        const terms = { prepare: prepares(), progress: progressOf(sql) };
        if (!(await isConfinedOn(client))) return run<R>(client, terms, sql, params);
        return runConfined<R>(
          client,
          { ...terms, begin: connections.begin(beginConfined('begin')) },
          sql,
          params,
        );
      });
    },

    transaction: (work, options = {}) => inTransaction('begin', work, options),

    snapshot: (work) =>
      inTransaction('begin isolation level repeatable read, read only', work, { unlimited: true }),

    connections: connections.counts,

    close: connections.close,
  };

  async function rollBack(client: pg.PoolClient, reason: unknown): Promise<void> {
    // on a connection that is lost, or whose server hangs, it would only wait in its turn; the server does it by itself
    if (endsConnection(reason)) return;
    await run(client, { ...plain, progress: 'uncommitted' }, 'rollback');
  }
}
