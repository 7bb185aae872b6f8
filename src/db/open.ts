import { join } from 'node:path';
import type { Database } from './database.ts';
import { lockFolder } from './folder-lock.ts';
import { openPgDatabase } from './pg-database.ts';
import { openPgliteDatabase } from './pglite-database.ts';

/** Which Postgres: a server by URL, else the embedded one in a folder. */
export interface DatabaseLocation {
  url: string | undefined;
  dataDir: string;
  poolSize: number;
  /** Of a server: see `PgDatabaseOptions.prepare`. */
  prepare?: boolean;
  onError?: (error: Error) => void;
}

/**
 * Opens the database that the settings name; the embedded one holds its folder locked until it is closed.
 *
 * @throws Error when the folder is in use by another process
 */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
  if (location.url !== undefined) {
    return openPgDatabase({
      url: location.url,
      poolSize: location.poolSize,
      ...(location.prepare !== undefined && { prepare: location.prepare }),
      ...(location.onError && { onError: location.onError }),
    });
  }
  const unlock = lockFolder(location.dataDir);
  try {
    const db = await openPgliteDatabase(join(location.dataDir, 'postgres'));
    return { ...db, close: () => db.close().finally(unlock) };
  } catch (error) {
    unlock();
    throw error;
  }
}
