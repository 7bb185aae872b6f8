import type { Database, Queryable } from '../../db/database.ts';
import { isOnCluster } from '../../db/distribution/nodes.ts';
import { endAllLeases } from '../../db/leases.ts';
import { migrateWithin } from '../../db/migrate.ts';
import {
  type Cell,
  checkReferences,
  clearTables,
  continueIdentities,
  dropSchema,
  insertRows,
  piecewiseColumn,
  pinFormats,
  selectTables,
  setTriggers,
  type TableShape,
  tablesInUse,
} from '../../db/table-rows.ts';
import { BackupError } from './backup-error.ts';
import type { BackupManifest, BackupTable } from './format.ts';
import type { Backup } from './open-backup.ts';
import { digestOf } from './table-lines.ts';

/** What is written by one statement. */
const ROWS = 500;
const CHARACTERS = 4_000_000;

export interface RestoreOptions {
  /** Whether what is in the database goes. */
  replace: boolean;
  /** Whether what was written is read again, and compared with what the backup was made of. */
  verify: boolean;
  onTable?: (table: BackupTable) => void;
}

/**
 * Puts a backup into a database, of either kind: its schema is made as it was, filled, compared, and then brought to the
 * newest. All or nothing: when anything fails, the database is as it was.
 *
 * @returns the migrations that the backup did not have
 * @throws BackupError when the backup is not whole, or the database is in use or distributed over a cluster
 */
export async function restoreBackup(
  db: Database,
  backup: Backup,
  { replace, verify, onTable }: RestoreOptions,
): Promise<string[]> {
  if (await isOnCluster(db)) {
    throw new BackupError(
      'this database is distributed over a cluster: restore into an empty one, and distribute that with `forge distribute`',
    );
  }
  const { manifest } = backup;
  const restore = async (tx: Queryable): Promise<string[]> => {
    await pinFormats(tx);
    const used = replace ? [] : await tablesInUse(tx);
    if (used.length > 0) throw new BackupError(`the database is not empty: it has ${used.join(', ')}`);
    await dropSchema(tx);
    await migrateWithin(tx, new Set(manifest.migrations.map(({ name }) => name)));
    const shapes = new Map((await selectTables(tx)).map((shape) => [shape.name, shape]));
    // what the migrations have put there is in the backup too
    await clearTables(tx);
    for (const shape of shapes.values()) await setTriggers(tx, shape, false);
    for (const table of manifest.tables) {
      const shape = shapeOf(shapes.get(table.name), table);
      await fill(tx, shape, backup.lines(table.name));
      await continueIdentities(tx, shape, table.given, leftBehind(table, manifest));
      if (verify) await compare(tx, shape, table);
      onTable?.(table);
    }
    await checkReferences(tx);
    for (const shape of shapes.values()) await setTriggers(tx, shape, true);
    // whoever held them worked on another database
    await endAllLeases(tx);
    return migrateWithin(tx);
  };
  return db.transaction(restore, { unlimited: true });
}

/**
 * Numbers to leave out. Clients go on with the number of the last event that they had, also of one that was told after the
 * backup: no number is used again if no more than one event in a millisecond was told since.
 */
const leftBehind = ({ name }: BackupTable, { created_at }: BackupManifest): number =>
  name === 'project_events' ? Math.max(0, Date.now() - Date.parse(created_at)) : 0;

/** The columns in the backup's order. */
function shapeOf(shape: TableShape | undefined, table: BackupTable): TableShape {
  const columns = table.columns.flatMap(
    (name) => shape?.columns.filter((column) => column.name === name) ?? [],
  );
  if (!shape || columns.length !== table.columns.length || columns.length !== shape.columns.length) {
    throw new BackupError(`the table ${table.name} is not as its schema says`);
  }
  return { ...shape, columns };
}

async function fill(tx: Queryable, shape: TableShape, lines: AsyncGenerator<string>): Promise<void> {
  let rows: Cell[][] = [];
  let characters = 0;
  const flush = async () => {
    if (rows.length > 0) await insertRows(tx, shape, rows);
    rows = [];
    characters = 0;
  };
  const large = shape.columns.findIndex(({ name }) => name === piecewiseColumn(shape));
  for (;;) {
    const line = await lines.next();
    if (line.done) break;
    const row = JSON.parse(line.value) as (string | number | null)[];
    const cells = await Promise.all(
      row.map((cell, index) => (index === large && cell !== null ? joined(lines, Number(cell)) : text(cell))),
    );
    rows.push(cells);
    characters += line.value.length;
    if (large !== -1 || rows.length >= ROWS || characters >= CHARACTERS) await flush();
  }
  await flush();
}

const text = (cell: string | number | null): string | null => (cell === null ? null : String(cell));

/** The bytes in the lines behind a row. */
async function joined(lines: AsyncGenerator<string>, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let at = 0; at < length; ) {
    const line = await lines.next();
    if (line.done) throw new BackupError('a file in it is cut off');
    at += bytes.write(JSON.parse(line.value) as string, at, 'base64');
  }
  return bytes;
}

async function compare(tx: Queryable, shape: TableShape, table: BackupTable): Promise<void> {
  const { rows, digest } = await digestOf(tx, shape);
  if (rows === table.rows && digest === table.digest) return;
  throw new BackupError(`the table ${table.name} is not what was backed up: ${rows} of ${table.rows} rows`);
}
