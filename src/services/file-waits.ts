import type { File, FileEvent } from '../contract/file.ts';
import type { Database } from '../db/database.ts';
import { countUnsettled, findFileById, type StoredFile } from '../db/files.ts';
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

/** A file that somebody follows: as it was found, and what becomes of it. */
export interface FollowedFile {
  file: File;
  /**
   * The file as it is, and again whenever it has changed, until it is completed or failed; the last thing may be that
   * it was deleted meanwhile. Holds no connection, and costs the database no more for those who watch the same.
   */
  events(signal: AbortSignal): AsyncGenerator<FileEvent>;
}

/** The use cases of those who wait for a file's ingestion. They stay with the file when it is renamed meanwhile. */
export interface FileWaits {
  /**
   * Waits until the file is completed or failed, at most `waitMs` and until the process stops; gives it as it then is.
   *
   * @throws AppError `project_not_found`, `file_not_found`
   */
  settled(scope: Scope, name: string, waitMs: number): Promise<File>;
  /** The same for a file that was found already. */
  settledSince(scope: Scope, found: StoredFile, waitMs: number): Promise<File>;
  /** Waits until none of the project's files is being ingested, at most `waitMs`; gives how many still are. */
  allSettled(scope: Scope, waitMs: number): Promise<number>;
  /** @throws AppError `project_not_found`, `file_not_found` */
  follow(scope: Scope, name: string): Promise<FollowedFile>;
}

export function createFileWaits({ db, fileChanges, stopping }: FileWaitDeps): FileWaits {
  /** Follows what `watch` gives until `isEnough`, at most so long and until the process stops. */
  async function followUntil<T>(
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

  async function settledSince(scope: Scope, { file, fileId }: StoredFile, waitMs: number): Promise<File> {
    if (!isSettled(file) && waitMs > 0) {
      await followUntil(
        waitMs,
        (signal) => fileChanges.watchFile(scope, fileId, signal),
        (changed) => changed === null || isSettled(changed),
      );
    }
    // one that was deleted may have been uploaded again
    const found = (await findFileById(db, scope, fileId)) ?? (await requireFile(db, scope, file.name));
    return found.file;
  }

  async function* eventsOf(scope: Scope, found: StoredFile, signal: AbortSignal): AsyncGenerator<FileEvent> {
    let { name } = found.file;
    for await (const file of fileChanges.watchFile(scope, found.fileId, signal)) {
      if (file === null) {
        yield { event: 'file.deleted', data: { object: 'file', name } };
        return;
      }
      name = file.name;
      const { status } = file;
      if (status === 'completed' || status === 'failed') {
        yield { event: `file.${status}`, data: file };
        return;
      }
      yield { event: 'file.progress', data: file };
    }
  }

  return {
    settledSince,

    async settled(scope, name, waitMs) {
      const found = await requireFile(db, scope, name);
      return isSettled(found.file) || waitMs <= 0 ? found.file : settledSince(scope, found, waitMs);
    },

    async allSettled(scope: Scope, waitMs: number): Promise<number> {
      const pending = await countUnsettled(db, scope);
      if (pending === 0 || waitMs <= 0) return pending;
      await followUntil(
        waitMs,
        (signal) => fileChanges.watchUnsettled(scope, signal),
        (left) => left === 0,
      );
      return countUnsettled(db, scope);
    },

    async follow(scope, name) {
      const found = await requireFile(db, scope, name);
      return { file: found.file, events: (signal) => eventsOf(scope, found, signal) };
    },
  };
}
