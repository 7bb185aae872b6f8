import type { Config } from '../config.ts';
import { forSystem } from '../db/bound-database.ts';
import type { Database } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { startFailure } from '../db/start-failure.ts';
import { configured } from './connection.ts';
import { CliError, EXIT } from './exit.ts';

/**
 * Opens the database of the settings, brings it to the newest schema, does the work and closes it.
 *
 * @throws CliError when it cannot be opened
 */
export const withDatabase = <T>(
  environment: NodeJS.ProcessEnv,
  work: (db: Database, config: Config, applied: string[]) => Promise<T>,
): Promise<T> => withDatabaseAsItIs(environment, async (db, config) => work(db, config, await migrate(db)));

/** The same, but for the schema. */
export async function withDatabaseAsItIs<T>(
  environment: NodeJS.ProcessEnv,
  work: (db: Database, config: Config) => Promise<T>,
): Promise<T> {
  const config = configured(environment);
  const db = await openDatabase({
    // its owner may do everything that is asked for here
    url: config.DATABASE_MIGRATION_URL ?? config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    poolSize: 2,
    ...(config.DATABASE_PREPARE !== undefined && { prepare: config.DATABASE_PREPARE }),
  }).catch((error: unknown) => {
    throw new CliError(EXIT.unavailable, `The database cannot be opened: ${startFailure(error)}`, error);
  });
  try {
    return await work(forSystem(db), config);
  } finally {
    await db.close();
  }
}
