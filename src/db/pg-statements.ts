import type pg from 'pg';
import type { QueryResult } from './database.ts';
import { type Progress, serverFailure } from './failures.ts';
import { isConfined } from './row-security.ts';
import { statementName } from './statement-names.ts';

/** How a statement is sent. */
export interface StatementTerms {
  prepare: boolean;
  progress: Progress;
  answerTimeoutMs?: number | undefined;
}

/**
 * Sends a statement over a connection.
 *
 * @throws DatabaseError for trouble of the server or of the way to it
 */
export async function run<R>(
  client: pg.PoolClient,
  { prepare, progress, answerTimeoutMs }: StatementTerms,
  sql: string,
  params?: readonly unknown[],
): Promise<QueryResult<R>> {
  // several statements in one text have no parameters, and cannot be prepared
  const name = prepare && params !== undefined ? statementName(sql) : undefined;
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
export const progressOf = (sql: string): Progress => (/^\s*select\b/i.test(sql) ? 'uncommitted' : 'sent');

/**
 * The answers to statements that were sent over a connection at once, when all have been answered.
 *
 * @throws what the first of them that failed was rejected with: the others only follow from it
 */
export async function together<T extends readonly unknown[]>(
  sent: {
    readonly [K in keyof T]: Promise<T[K]>;
  },
): Promise<T> {
  const ended = await Promise.allSettled(sent);
  const failed = ended.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
  return Promise.all(sent) as unknown as Promise<T>;
}

/** A statement in a transaction of its own, which `begin` puts into the present workspace. */
export async function runConfined<R>(
  client: pg.PoolClient,
  { begin, ...terms }: StatementTerms & { begin: string },
  sql: string,
  params?: readonly unknown[],
): Promise<QueryResult<R>> {
  const plain = { ...terms, prepare: false };
  const [, result] = await together([
    // all three are on their way: a connection that is lost now may have done the whole
    run(client, plain, begin),
    run<R>(client, terms, sql, params),
    // after a failure it rolls back
    run(client, plain, 'commit'),
  ]);
  return result;
}

/** Finds out once whether the role of the connections is subject to row-level security. */
export function createConfinement() {
  let confined: boolean | undefined;
  return async (client: pg.PoolClient): Promise<boolean> => {
    const terms = { prepare: false, progress: 'uncommitted' } as const;
    confined ??= await isConfined({ query: (sql, params) => run(client, terms, sql, params) });
    return confined;
  };
}
