import type { File, FileEvent } from '../contract/file.ts';
import type { Database } from '../db/database.ts';
import { countUnsettled } from '../db/files.ts';
import type { Scope } from '../scope.ts';
import { scopedSignal } from '../scoped-signal.ts';
import type { FileChanges } from './file-changes.ts';
import { requireFile } from './file-lookup.ts';

export interface FileWaitDeps {
  db: Database;
  fileChanges: FileChanges;
  /** Aborted when the process stops: nobody need wait for an ingestion that goes on elsewhere. */
  stopping: AbortSignal;
}

const isSettled = ({ status }: File): boolean => status === 'completed' || status === 'failed';

/** The use cases of those who wait for a file's ingestion. */
export interface FileWaits {
  /** Waits until the file is completed or failed, at most `waitMs` and until the process stops; gives it as it then is. */
  settled(scope: Scope, name: string, waitMs: number): Promise<File>;
  /** Waits until none of the project's files is being ingested, at most `waitMs`; gives how many still are. */
  allSettled(scope: Scope, waitMs: number): Promise<number>;
  /**
   * The file as it is, and again whenever it has changed, until it is completed or failed; the last thing may be that
   * it was deleted meanwhile. Holds no connection, and costs the database no more for those who watch the same.
   *
   * @param name as the file has it
   */
  watch(scope: Scope, name: string, signal: AbortSignal): AsyncGenerator<FileEvent>;
}

export function createFileWaits({ db, fileChanges, stopping }: FileWaitDeps): FileWaits {
  const get = async (scope: Scope, name: string): Promise<File> => (await requireFile(db, scope, name)).file;
  /** Follows what `watch` gives until `isEnough`, at most so long and until the process stops. */
  async function follow<T>(
    waitMs: number,
    watch: (signal: AbortSignal) => AsyncIterable<T>,
    isEnough: (seen: T) => boolean,
  ): Promise<void> {
    const { signal, close } = scopedSignal([stopping], { timeoutMs: waitMs });
    try {
      for await (const seen of watch(signal)) if (isEnough(seen)) return;
    } finally {
      close();
    }
  }

  return {
    async settled(scope: Scope, name: string, waitMs: number): Promise<File> {
      const file = await get(scope, name);
      if (isSettled(file) || waitMs <= 0) return file;
      await follow(
        waitMs,
        (signal) => fileChanges.watchFile(scope, file.name, signal),
        (changed) => changed === null || isSettled(changed),
      );
      return get(scope, name);
    },

    async allSettled(scope: Scope, waitMs: number): Promise<number> {
      const pending = await countUnsettled(db, scope);
      if (pending === 0 || waitMs <= 0) return pending;
      await follow(
        waitMs,
        (signal) => fileChanges.watchUnsettled(scope, signal),
        (left) => left === 0,
      );
      return countUnsettled(db, scope);
    },

    async *watch(scope: Scope, name: string, signal: AbortSignal): AsyncGenerator<FileEvent> {
      for await (const file of fileChanges.watchFile(scope, name, signal)) {
        if (file === null) {
          yield { event: 'file.deleted', data: { object: 'file', name } };
          return;
        }
        const { status } = file;
        if (status === 'completed' || status === 'failed') {
          yield { event: `file.${status}`, data: file };
          return;
        }
        yield { event: 'file.progress', data: file };
      }
    },
  };
}
