import { join } from 'node:path';
import type { Database } from './database.ts';
import { lockFolder } from './folder-lock.ts';
import { openPgDatabase } from './pg-database.ts';
import { openPgliteDatabase } from './pglite-database.ts';
import { DATABASE_FOLDER, keepPrivate } from './private-folder.ts';
import { type EndedStatement, watchStatements } from './statement-log.ts';

/** Which Postgres: a server by URL, else the embedded one in a folder. */
export interface DatabaseLocation {
  url: string | undefined;
  dataDir: string;
  poolSize: number;
  /** Of a server: see `PgDatabaseOptions.prepare`. */
  prepare?: boolean;
  onError?: (error: Error) => void;
  /** Told of every statement, without its values, when it has ended. */
  onStatement?: (statement: EndedStatement) => void;
}

function openServer(url: string, location: DatabaseLocation): Database {
  return openPgDatabase({
    url,
    poolSize: location.poolSize,
    ...(location.prepare !== undefined && { prepare: location.prepare }),
    ...(location.onError && { onError: location.onError }),
  });
}

async function openFolder(dataDir: string): Promise<Database> {
  keepPrivate(dataDir);
  const unlock = lockFolder(dataDir);
  try {
    const db = await openPgliteDatabase(join(dataDir, DATABASE_FOLDER));
    return { ...db, close: () => db.close().finally(unlock) };
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * Opens the database that the settings name; the embedded one holds its folder locked until it is closed.
 *
 * @throws Error when the folder is in use by another process
 */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
  const { url, dataDir, onStatement } = location;
  const db = url === undefined ? await openFolder(dataDir) : openServer(url, location);
  return onStatement ? watchStatements(db, onStatement) : db;
}

/** Timers of Node know no more. */
const NEVER_MS = 2 ** 31 - 1;

/** One connection to a server, whose statements may take any time: for building indexes beside those who write. */
export const openUnlimited = (url: string): Database =>
  openPgDatabase({ url, poolSize: 1, statementTimeoutMs: 0, answerTimeoutMs: NEVER_MS });
