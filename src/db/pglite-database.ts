import { startThread } from '../worker-entry.ts';
import type { Database, Queryable, QueryResult } from './database.ts';
import type { PgliteFailure, PgliteReply, PgliteRequest } from './pglite-protocol.ts';
import { createTransactionGuard } from './transaction-guard.ts';

/** A failure of a statement on the embedded database; `code` is the SQLSTATE, as with node-postgres. */
class PgliteError extends Error {
  readonly code: string | undefined;
  readonly constraint: string | undefined;
  readonly detail: string | undefined;

  constructor(failure: PgliteFailure) {
    super(failure.message);
    this.name = 'PgliteError';
    this.code = failure.code;
    this.constraint = failure.constraint;
    this.detail = failure.detail;
  }
}

interface Pending {
  resolve: (result: QueryResult<never>) => void;
  reject: (error: Error) => void;
}

/** bytea crosses the thread as a plain Uint8Array; callers get the Buffer that node-postgres would give. */
function restoreBuffers(rows: Record<string, unknown>[]): Record<string, unknown>[] {
  for (const row of rows) {
    for (const [column, value] of Object.entries(row)) {
      if (value instanceof Uint8Array) {
        row[column] = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      }
    }
  }
  return rows;
}

/** One thread with PGlite in it; statements run in the order in which they are sent. */
function startPglite(dataDir: string) {
  const worker = startThread(import.meta.url, './pglite-worker', { dataDir });
  const pending = new Map<number, Pending>();
  let nextId = 1;
  let dead: Error | undefined;

  const ready = new Promise<void>((resolve, reject) => {
    const end = (error: Error) => {
      dead ??= error;
      for (const waiting of pending.values()) waiting.reject(dead);
      pending.clear();
      reject(dead);
    };
    worker.on('error', end);
    worker.on('exit', () => end(new Error('the embedded database has ended')));
    worker.on('message', (reply: PgliteReply) => {
      if (reply.type === 'ready') return resolve();
      if (reply.type === 'unusable') {
        return end(new Error(`the embedded database cannot be opened: ${reply.message}`));
      }
      const waiting = pending.get(reply.id);
      pending.delete(reply.id);
      if (reply.type === 'failure') waiting?.reject(new PgliteError(reply.failure));
      else waiting?.resolve({ rows: restoreBuffers(reply.rows) as never[], rowCount: reply.rowCount });
    });
  });
  ready.catch(() => undefined); // awaited by the opener; a later end is told to each statement

  return {
    ready,
    send<R>(sql: string, params?: readonly unknown[]): Promise<QueryResult<R>> {
      if (dead) return Promise.reject(dead);
      return new Promise((resolve, reject) => {
        const id = nextId++;
        pending.set(id, { resolve: resolve as Pending['resolve'], reject });
        worker.postMessage({ id, sql, params } satisfies PgliteRequest);
      });
    },
    async close(): Promise<void> {
      if (dead) return;
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      worker.postMessage('close');
      await ended;
    },
  };
}

/**
 * Opens the embedded Postgres (PGlite with pgvector) in a thread of its own: on the main thread every query would hold
 * up every request for its length. It has one connection, so transactions queue behind each other and single
 * statements wait for the transaction that is open.
 *
 * @param dataDir folder of the database, or `memory://`
 */
export async function openPgliteDatabase(dataDir: string): Promise<Database> {
  const thread = startPglite(dataDir);
  await thread.ready;
  const guard = createTransactionGuard();
  let turnstile: Promise<unknown> = Promise.resolve();
  let inside = 0;

  /** Runs `work` when everything that was asked for before has settled. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    inside += 1;
    const result = turnstile.then(work);
    turnstile = result
      .catch(() => undefined)
      .then(() => {
        inside -= 1;
      });
    return result;
  }

  return {
    kind: 'embedded',

    async query<R>(sql: string, params?: readonly unknown[]) {
      guard.assertOutside();
      return inTurn(() => thread.send<R>(sql, params));
    },

    async transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
      guard.assertOutside();
      return inTurn(async () => {
        let open = true;
        const tx: Queryable = {
          query: (sql, params) =>
            open ? thread.send(sql, params) : Promise.reject(new Error('the transaction has ended')),
        };
        await thread.send('begin');
        try {
          const result = await guard.inside(() => work(tx));
          open = false;
          await thread.send('commit');
          return result;
        } catch (error) {
          open = false;
          await thread.send('rollback').catch(() => undefined);
          throw error;
        }
      });
    },

    connections: () => ({
      used: Math.min(inside, 1),
      idle: inside === 0 ? 1 : 0,
      most: 1,
      waiting: Math.max(0, inside - 1),
    }),

    close: () => inTurn(() => thread.close()),
  };
}
