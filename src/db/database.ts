/** A row as both databases return it: int8 and numeric as strings, timestamptz as Date, jsonb parsed, bytea as Buffer. */
export type Row = Record<string, unknown>;

export interface QueryResult<R> {
  rows: R[];
  /** Rows returned or, for a statement without RETURNING, rows changed. */
  rowCount: number;
}

/** Where statements run: the database itself, or one transaction of it. Statements take this as their first parameter. */
export interface Queryable {
  query<R = Row>(sql: string, params?: readonly unknown[]): Promise<QueryResult<R>>;
}

export interface TransactionOptions {
  /** However long its statements take and wait: for migrations. */
  unlimited?: boolean;
}

/** How the connections to a database are used. */
export interface Connections {
  used: number;
  idle: number;
  /** So many there may be. */
  most: number;
  /** Statements and transactions that wait for one. */
  waiting: number;
}

/**
 * The one door to Postgres. Two backings speak it with the same SQL: a pool on a server, and the embedded PGlite.
 *
 * Rules that keep statements portable: no LISTEN, no COPY, no PREPARE and no other state of a session but by `SET LOCAL`,
 * only transaction-level advisory locks, JSON parameters already stringified and vectors as `'[1,2]'` strings or, many at
 * once, as one `real[]` in binary (`real-array.ts`), bulk inserts through `unnest`. Whether a connection keeps a statement
 * that it has run is the backing's own affair: the pool on a server does, unless it is told not to or goes through a pooler. So a statement's text
 * is one of few, and what differs from call to call stands in its parameters.
 *
 * Inside `transaction` only the handle it gives may be used: the embedded database has one connection, so asking the pool
 * there would wait for itself; both backings refuse that with an error.
 *
 * Trouble of the database itself, and of the way to it, rejects with a `DatabaseError`.
 */
export interface Database extends Queryable {
  readonly kind: 'embedded' | 'server';
  /** Runs `work` in one transaction: commits what it returns, rolls back and rethrows what it throws. */
  transaction<T>(work: (tx: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Runs `work` on the database as it is now, to read only, while others go on writing. On a server that is one transaction,
   * however long it takes; the embedded one is copied first, which others wait for, and read from its copy.
   */
  snapshot<T>(work: (view: Queryable) => Promise<T>): Promise<T>;
  /** Left out by what stands in for a database in tests. */
  connections?(): Connections;
  close(): Promise<void>;
}
