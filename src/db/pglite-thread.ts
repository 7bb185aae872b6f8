import { startThread } from '../worker-entry.ts';
import type { QueryResult } from './database.ts';
import { type Progress, serverFailure } from './failures.ts';
import type { PgliteFailure, PgliteReply, PgliteRequest } from './pglite-protocol.ts';

/** A failure of a statement on the embedded database; `code` is the SQLSTATE, as with node-postgres. */
class PgliteError extends Error {
  readonly code: string | undefined;
  readonly constraint: string | undefined;
  readonly detail: string | undefined;
  readonly isFatal: boolean;

  constructor(failure: PgliteFailure) {
    super(failure.message);
    this.name = 'PgliteError';
    this.code = failure.code;
    this.constraint = failure.constraint;
    this.detail = failure.detail;
    this.isFatal = failure.isFatal ?? false;
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

const ended = (message: string): PgliteError => new PgliteError({ message, isFatal: true });

/** One thread with PGlite in it; statements run in the order in which they are sent. */
function startPglite(dataDir: string) {
  const worker = startThread(import.meta.url, './pglite-worker', { dataDir });
  const pending = new Map<number, Pending>();
  let nextId = 1;
  let dead: Error | undefined;

  const end = (error: Error): void => {
    dead ??= error;
    for (const waiting of pending.values()) waiting.reject(dead);
    pending.clear();
  };
  const ready = new Promise<void>((resolve, reject) => {
    const fail = (error: Error): void => {
      end(error);
      reject(error);
    };
    worker.on('error', (error) => fail(ended(error.message)));
    worker.on('exit', () => fail(ended('the embedded database has ended')));
    worker.on('message', (reply: PgliteReply) => {
      if (reply.type === 'ready') return resolve();
      if (reply.type === 'unusable') {
        const message = `the embedded database cannot be opened: ${reply.failure.message}`;
        return fail(new PgliteError({ ...reply.failure, message, isFatal: true }));
      }
      const waiting = pending.get(reply.id);
      pending.delete(reply.id);
      if (reply.type === 'failure') {
        const error = new PgliteError(reply.failure);
        waiting?.reject(error);
        if (error.isFatal) end(error);
      } else waiting?.resolve({ rows: restoreBuffers(reply.rows) as never[], rowCount: reply.rowCount });
    });
  });
  ready.catch(() => undefined); // awaited by the opener; a later end is told to each statement

  return {
    ready,
    isUsable: () => dead === undefined,
    /** @param patienceMs after so long without an answer the thread is taken for lost */
    send<R>(sql: string, params: readonly unknown[] | undefined, patienceMs: number) {
      if (dead) return Promise.reject(dead);
      const silence = setTimeout(() => end(ended('the embedded database does not answer')), patienceMs);
      return new Promise<QueryResult<R>>((resolve, reject) => {
        const id = nextId++;
        pending.set(id, { resolve: resolve as Pending['resolve'], reject });
        worker.postMessage({ id, sql, params } satisfies PgliteRequest);
      }).finally(() => clearTimeout(silence));
    },
    /** Ends it as it is: what was committed is in its files. */
    async abandon(): Promise<void> {
      await worker.terminate();
    },
    async close(): Promise<void> {
      if (dead) return void (await worker.terminate());
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      worker.postMessage('close');
      await ended;
    },
  };
}

type PgliteThread = ReturnType<typeof startPglite>;

/** How soon opening it is tried again after it has failed. */
const REOPEN_MS = 2_000;

/** The thread in use, and another in its place when it has crashed. */
export function keepThread(dataDir: string) {
  let thread: PgliteThread = startPglite(dataDir);
  let isClosed = false;
  let refusal: { error: unknown; until: number } | undefined;

  async function reopen(): Promise<void> {
    if (refusal && performance.now() < refusal.until) throw refusal.error;
    await thread.abandon();
    thread = startPglite(dataDir);
    try {
      await thread.ready;
      refusal = undefined;
    } catch (error) {
      refusal = { error, until: performance.now() + REOPEN_MS };
      throw error;
    }
  }

  return {
    ready: thread.ready,
    async usable(): Promise<PgliteThread> {
      if (isClosed) throw new Error('the database is closed');
      if (!thread.isUsable()) {
        await reopen().catch((error: unknown) => {
          throw embeddedFailure(error, 'not-sent');
        });
      }
      return thread;
    },
    async close(): Promise<void> {
      isClosed = true;
      await thread.close();
    },
  };
}

/** A failure in the service's terms. A mistake of the program, such as a value of the wrong type, has no SQLSTATE and is no trouble of the database. */
export function embeddedFailure(error: unknown, progress: Progress): unknown {
  const isTrouble = error instanceof PgliteError && (error.isFatal || error.code !== undefined);
  return isTrouble ? serverFailure(error, progress) : error;
}
