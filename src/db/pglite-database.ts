import { constants } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connections, Database, Queryable, TransactionOptions } from './database.ts';
import type { Progress } from './failures.ts';
import { embeddedFailure, keepThread } from './pglite-thread.ts';
import { createTransactionGuard } from './transaction-guard.ts';

/** Many times what the longest statement takes; those of migrations may take as long as they do. */
const PATIENCE_MS = 5 * 60_000;
const FOR_EVER_MS = 2 ** 31 - 1;

/** The one connection, which is given out in the order in which it is asked for. */
function createTurnstile() {
  let last: Promise<unknown> = Promise.resolve();
  /** How many have it or wait for it. */
  let inside = 0;
  return {
    /** Runs `work` when everything that was asked for before has settled. */
    inTurn<T>(work: () => Promise<T>): Promise<T> {
      inside += 1;
      const result = last.then(work).finally(() => {
        inside -= 1;
      });
      last = result.catch(() => undefined);
      return result;
    },
    connections: (): Connections => ({
      used: Math.min(inside, 1),
      idle: inside === 0 ? 1 : 0,
      most: 1,
      waiting: Math.max(0, inside - 1),
    }),
  };
}

/**
 * Opens the embedded Postgres (PGlite with pgvector) in a thread of its own: on the main thread every query would hold
 * up every request for its length. It has one connection, so transactions queue behind each other and single
 * statements wait for the transaction that is open. When it crashes, or its disk was full, the next statement opens it anew.
 *
 * @param dataDir folder of the database
 * @throws DatabaseError when it cannot be opened
 */
export async function openPgliteDatabase(dataDir: string): Promise<Database> {
  const threads = keepThread(dataDir);
  await threads.ready.catch((error: unknown) => {
    throw embeddedFailure(error, 'not-sent');
  });
  const guard = createTransactionGuard();
  const { inTurn, connections } = createTurnstile();

  /** The checkpoint leaves the copy little to recover when it is opened. */
  async function copyTo(folder: string): Promise<void> {
    const thread = await threads.usable();
    await thread.send('checkpoint', undefined, PATIENCE_MS).catch((error: unknown) => {
      throw embeddedFailure(error, 'uncommitted');
    });
    await cp(dataDir, folder, { recursive: true, mode: constants.COPYFILE_FICLONE });
  }

  return {
    kind: 'embedded',

    async query<R>(sql: string, params?: readonly unknown[]) {
      guard.assertOutside();
      return inTurn(async () => {
        const thread = await threads.usable();
        return thread.send<R>(sql, params, PATIENCE_MS).catch((error: unknown) => {
          throw embeddedFailure(error, 'sent');
        });
      });
    },

    async transaction<T>(
      work: (tx: Queryable) => Promise<T>,
      { unlimited = false }: TransactionOptions = {},
    ): Promise<T> {
      guard.assertOutside();
      const patienceMs = unlimited ? FOR_EVER_MS : PATIENCE_MS;
      return inTurn(async () => {
        const thread = await threads.usable();
        const send = <R>(progress: Progress, sql: string, params?: readonly unknown[]) =>
          thread.send<R>(sql, params, patienceMs).catch((error: unknown) => {
            throw embeddedFailure(error, progress);
          });
        let open = true;
        const tx: Queryable = {
          query: (sql, params) =>
            open ? send('uncommitted', sql, params) : Promise.reject(new Error('the transaction has ended')),
        };
        await send('not-sent', 'begin');
        let result: T;
        try {
          result = await guard.inside(() => work(tx));
        } catch (error) {
          open = false;
          await send('uncommitted', 'rollback').catch(() => undefined);
          throw error;
        }
        open = false;
        await send('sent', 'commit');
        return result;
      });
    },

    async snapshot(work) {
      guard.assertOutside();
      const folder = await mkdtemp(join(tmpdir(), 'forge-snapshot-'));
      try {
        // between two statements the folder is what a process that was killed then would leave: it opens as it is
        await inTurn(() => copyTo(folder));
        const copy = await openPgliteDatabase(folder);
        return await copy.transaction(work, { unlimited: true }).finally(copy.close);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },

    connections,

    close: () => inTurn(() => threads.close()),
  };
}
