import type { Config } from '../config.ts';
import { forSystem } from '../db/bound-database.ts';
import type { Database } from '../db/database.ts';
import { migrateAsOwner } from '../db/migrate-as-owner.ts';
import { openDatabase } from '../db/open.ts';
import { startFailure } from '../db/start-failure.ts';
import { configured } from './connection.ts';
import { CliError, EXIT } from './exit.ts';

/**
 * Opens the server's database as the owner of its tables, does the work and closes it.
 *
 * @throws CliError where there is no server
 */
export async function withOwner<T>(
  environment: NodeJS.ProcessEnv,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const { DATABASE_URL, DATABASE_MIGRATION_URL, DATA_DIR } = configured(environment);
  const url = DATABASE_MIGRATION_URL ?? DATABASE_URL;
  if (url === undefined) {
    throw new CliError(
      EXIT.usage,
      'The embedded database has no roles: this is for the server of DATABASE_URL.',
    );
  }
  const db = await openDatabase({ url, dataDir: DATA_DIR, poolSize: 1 });
  try {
    return await work(forSystem(db));
  } finally {
    await db.close();
  }
}

/**
 * Opens the database of the settings, brings it to the newest schema, does the work and closes it.
 *
 * @throws CliError when it cannot be opened
 */
export async function withDatabase<T>(
  environment: NodeJS.ProcessEnv,
  work: (db: Database, config: Config, applied: string[]) => Promise<T>,
): Promise<T> {
  const config = configured(environment);
  const db = await openDatabase({
    url: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    poolSize: 2,
    prepare: config.DATABASE_PREPARE,
  }).catch((error: unknown) => {
    throw new CliError(EXIT.unavailable, `The database cannot be opened: ${startFailure(error)}`, error);
  });
  try {
    return await work(forSystem(db), config, await migrateAsOwner(db, config.DATABASE_MIGRATION_URL));
  } finally {
    await db.close();
  }
}
