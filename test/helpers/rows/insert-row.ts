import type { Queryable } from '../../../src/db/database.ts';

/** Values by column, the columns in camel case; JSON is stringified already. */
type RowValues = Readonly<Record<string, unknown>>;

const columnOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Writes one row as it stands, past every rule of the service; every value goes as a parameter. */
export async function insertRow(db: Queryable, table: string, row: RowValues): Promise<void> {
  const columns = Object.keys(row).map(columnOf);
  const places = columns.map((_, index) => `$${index + 1}`);
  await db.query(
    `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`,
    Object.values(row),
  );
}

/** So many seconds from now, or before now: for leases and the times at which jobs are due. */
export const secondsFromNow = (seconds: number): Date => new Date(Date.now() + seconds * 1_000);
