import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { type Patience, patientDatabase } from './patience.ts';
import { openPgDatabase } from './pg-database.ts';

/**
 * Brings the schema of a database to the newest migration, by a connection of its own where the tables belong to another role.
 *
 * @param ownerUrl undefined: the connections of `db` are the owner's, or nothing is due
 * @returns names of the migrations that were applied
 * @throws Error as `migrate`
 */
export async function migrateAsOwner(
  db: Database,
  ownerUrl: string | undefined,
  patience?: Patience,
): Promise<string[]> {
  const patient = (database: Database) => (patience ? patientDatabase(database, patience) : database);
  if (ownerUrl === undefined) return migrate(patient(db));
  const owner = openPgDatabase({ url: ownerUrl, poolSize: 1 });
  try {
    return await migrate(patient(owner));
  } finally {
    await owner.close();
  }
}
