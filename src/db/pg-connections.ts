import pg from 'pg';
import { endsConnection, serverFailure } from './failures.ts';

/** Options of the connections to a server. */
export interface PgConnectionOptions {
  url: string;
  /** Connections held at most. */
  poolSize: number;
  /** How long the server works on a statement at most. */
  statementTimeoutMs?: number;
  /** How long its answer is waited for: longer, since a server that hangs does not keep its own limit. */
  answerTimeoutMs?: number;
  /** How long a connection is waited for. */
  connectTimeoutMs?: number;
  /** Told of failures of idle connections, which belong to no query. */
  onError?: (error: Error) => void;
}

const IDLE_IN_TRANSACTION_MS = 60_000;

/** Whether it was a pooler that answered: it takes no settings for a session that is not one client's alone. */
function isPoolers(error: unknown): boolean {
  const { code, message } = error as Error & { code?: unknown };
  return code === '08P01' && /startup parameter/.test(message);
}

/**
 * Hands out the connections of a pool; none that was lost goes back into it.
 *
 * As a connection starts, it asks the server for its limits. PgBouncer refuses that: then the connections are shared with
 * others, and each transaction asks for the limits by itself.
 */
export function createConnections(options: PgConnectionOptions) {
  const { url, poolSize, statementTimeoutMs = 60_000, connectTimeoutMs = 10_000, onError } = options;
  const limits = {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  };
  const setLimits = Object.entries(limits)
    .map(([name, ms]) => `set local ${name} = ${ms}`)
    .join('; ');
  let isShared = false;
  const lost = new WeakSet<pg.PoolClient>();
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    ...limits,
    query_timeout: options.answerTimeoutMs ?? statementTimeoutMs + 5_000,
    connectionTimeoutMillis: connectTimeoutMs,
    // a statement in a transaction of its own is one round trip, not three; all others are waited for one by one
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'forge',
  });
  // of connections that nobody uses
  pool.on('error', (error) => onError?.(error));
  // for as long as it lives: a connection that is lost while it is in use, or is being closed, must not end the process
  pool.on('connect', (client) => client.on('error', () => lost.add(client)));

  async function connect(): Promise<pg.PoolClient> {
    const mayAskAgain = !isShared;
    try {
      return await pool.connect();
    } catch (error) {
      if (!mayAskAgain || !isPoolers(error)) throw error;
      isShared = true;
      // the pool reads them for each connection that it makes
      Object.assign(pool.options, {
        statement_timeout: undefined,
        idle_in_transaction_session_timeout: undefined,
      });
      return pool.connect();
    }
  }

  return {
    async with<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
      const client = await connect().catch((error: unknown) => {
        throw pool.ending ? error : serverFailure(error, 'not-sent');
      });
      try {
        return await work(client);
      } catch (error) {
        if (endsConnection(error)) lost.add(client);
        throw error;
      } finally {
        client.release(lost.has(client));
      }
    },
    /** Whether a pooler lends them for a transaction at a time: nothing of one is to be found in the next. */
    areShared: (): boolean => isShared,
    /** What begins a transaction in place of this statement, in one message to the server. */
    begin: (statement: string): string => (isShared ? `${statement}; ${setLimits}` : statement),
    counts: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      most: poolSize,
      waiting: pool.waitingCount,
    }),
    close: (): Promise<void> => pool.end(),
  };
}
