import type { Readable } from 'node:stream';
import type { Database } from '../../db/database.ts';
import { writeBackup } from './write-backup.ts';

export interface BackupDeps {
  db: Database;
  /** Stores what turns and runs of this process have told and is still in memory. */
  flushEvents: () => Promise<void>;
  /** Aborted when the process stops: a backup that is under way breaks off. */
  stopping: AbortSignal;
}

/** The use case of taking the whole database out while the service runs. */
export const createBackupService = ({ db, flushEvents, stopping }: BackupDeps) => ({
  /** See `writeBackup`. */
  async create({ withCache }: { withCache: boolean }): Promise<Readable> {
    await flushEvents();
    return writeBackup(db, { withCache, signal: stopping });
  },
});

export type BackupService = ReturnType<typeof createBackupService>;
