import { setTimeout as delay } from 'node:timers/promises';
import type { File, FileEvent } from '../contract/file.ts';
import type { Database } from '../db/database.ts';
import { countUnsettled } from '../db/files.ts';
import { AppError } from '../errors.ts';
import type { Scope } from '../scope.ts';
import { requireFile } from './file-lookup.ts';

const SETTLED_INTERVAL_MS = 40;
const WATCH_INTERVAL_MS = 200;

export interface FileWaitDeps {
  db: Database;
  /** Aborted when the process stops: nobody need wait for an ingestion that goes on elsewhere. */
  stopping: AbortSignal;
}

const isSettled = ({ status }: File): boolean => status === 'completed' || status === 'failed';

/** The use cases of those who wait for a file's ingestion. */
export function createFileWaits({ db, stopping }: FileWaitDeps) {
  const get = async (scope: Scope, name: string): Promise<File> => (await requireFile(db, scope, name)).file;

  return {
    /** Waits until the file is completed or failed, at most `waitMs` and until the process stops; gives it as it then is. */
    async settled(scope: Scope, name: string, waitMs: number): Promise<File> {
      const deadline = Date.now() + waitMs;
      for (;;) {
        const file = await get(scope, name);
        if (isSettled(file) || stopping.aborted || Date.now() >= deadline) return file;
        const interval = Math.min(SETTLED_INTERVAL_MS, Math.max(1, deadline - Date.now()));
        await delay(interval, undefined, { signal: stopping }).catch(() => undefined);
      }
    },

    /** Waits until none of the project's files is being ingested, at most `waitMs`; gives how many still are. */
    async allSettled(scope: Scope, waitMs: number): Promise<number> {
      const deadline = Date.now() + waitMs;
      for (;;) {
        const pending = await countUnsettled(db, scope);
        if (pending === 0 || stopping.aborted || Date.now() >= deadline) return pending;
        const interval = Math.min(WATCH_INTERVAL_MS, Math.max(1, deadline - Date.now()));
        await delay(interval, undefined, { signal: stopping }).catch(() => undefined);
      }
    },

    /**
     * The file as it is, and again whenever it has changed, until it is completed or failed; the last thing may be that
     * it was deleted meanwhile. Holds no connection in between.
     */
    async *watch(scope: Scope, name: string, signal: AbortSignal): AsyncGenerator<FileEvent> {
      let shown: File | undefined;
      while (!signal.aborted) {
        const file = await get(scope, name).catch((error: unknown) => {
          if (error instanceof AppError) return null;
          throw error;
        });
        if (file === null) {
          yield { event: 'file.deleted', data: { object: 'file', name: shown?.name ?? name } };
          return;
        }
        const { status } = file;
        if (status === 'completed' || status === 'failed') {
          yield { event: `file.${status}`, data: file };
          return;
        }
        if (shown?.updated_at !== file.updated_at) yield { event: 'file.progress', data: file };
        shown = file;
        await delay(WATCH_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}
