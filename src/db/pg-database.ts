import type pg from 'pg';
import type { Database, Queryable, QueryResult, TransactionOptions } from './database.ts';
import { endsConnection, type Progress, serverFailure } from './failures.ts';
import { createConnections, type PgConnectionOptions } from './pg-connections.ts';
import { beginConfined, isConfined } from './row-security.ts';
import { createTransactionGuard } from './transaction-guard.ts';

/** Options of the server backing. */
export interface PgDatabaseOptions extends PgConnectionOptions {
  /** Whether each connection keeps the statements that it has run; left out: unless a pooler shares it out. */
  prepare?: boolean;
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

/** Timers of Node know no more. */
const NEVER_MS = 2 ** 31 - 1;
const NO_LIMITS = 'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0';

interface StatementTerms {
  prepare: boolean;
  progress: Progress;
  answerTimeoutMs?: number | undefined;
}

async function run<R>(
  client: pg.PoolClient,
  { prepare, progress, answerTimeoutMs }: StatementTerms,
  sql: string,
  params?: readonly unknown[],
): Promise<QueryResult<R>> {
  // several statements in one text have no parameters, and cannot be prepared
  const name = prepare && params !== undefined ? nameOf(sql) : undefined;
  const query = {
    text: sql,
    ...(params !== undefined && { values: [...params] }),
    ...(name !== undefined && { name }),
    ...(answerTimeoutMs !== undefined && { query_timeout: answerTimeoutMs }),
  };
  const result = await client.query(query).catch((error: unknown) => {
    throw serverFailure(error, progress);
  });
  // a text of several statements answers with one result each
  const last = Array.isArray(result) ? result[result.length - 1] : result;
  return { rows: (last?.rows ?? []) as R[], rowCount: last?.rowCount ?? 0 };
}

/** Reads change nothing, so it does not matter whether they were done. */
const progressOf = (sql: string): Progress => (/^\s*select\b/i.test(sql) ? 'uncommitted' : 'sent');

/** A statement in a transaction of its own, which `begin` puts into the present workspace. */
async function runConfined<R>(
  client: pg.PoolClient,
  { begin, ...terms }: StatementTerms & { begin: string },
  sql: string,
  params?: readonly unknown[],
): Promise<QueryResult<R>> {
  const plain = { ...terms, prepare: false };
  const [begun, result, committed] = await Promise.allSettled([
    // all three are on their way: a connection that is lost now may have done the whole
    run(client, plain, begin),
    run<R>(client, terms, sql, params),
    // after a failure it rolls back
    run(client, plain, 'commit'),
  ]);
  if (begun.status === 'rejected') throw begun.reason;
  if (result.status === 'rejected') throw result.reason;
  if (committed.status === 'rejected') throw committed.reason;
  return result.value;
}

/** Finds out once whether the role of the connections is subject to row-level security. */
function createConfinement() {
  let confined: boolean | undefined;
  return async (client: pg.PoolClient): Promise<boolean> => {
    const terms = { prepare: false, progress: 'uncommitted' } as const;
    confined ??= await isConfined({ query: (sql, params) => run(client, terms, sql, params) });
    return confined;
  };
}

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
