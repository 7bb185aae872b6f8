import type { Config } from '../config.ts';
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
export async function withDatabase<T>(
  environment: NodeJS.ProcessEnv,
  work: (db: Database, config: Config, applied: string[]) => Promise<T>,
): Promise<T> {
  const config = configured(environment);
  const db = await openDatabase({
    url: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    poolSize: 2,
    ...(config.DATABASE_PREPARE !== undefined && { prepare: config.DATABASE_PREPARE }),
  }).catch((error: unknown) => {
    throw new CliError(EXIT.unavailable, `The database cannot be opened: ${startFailure(error)}`, error);
  });
  try {
    return await work(db, config, await migrate(db));
  } finally {
    await db.close();
  }
}
