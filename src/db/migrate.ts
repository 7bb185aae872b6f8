import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';
import { forSystem } from './bound-database.ts';
import type { Database, Queryable } from './database.ts';
import { sqlStatements } from './sql-statements.ts';

/** Any number, the same in every instance: who holds it migrates. */
const MIGRATION_LOCK = 4_201_977_310;

/** Begins a migration after which the releases before it cannot go on. */
const BREAKING = '-- breaking';

/**
 * Hashes of texts of which only comments were mended after they had been applied, and the hashes of those that were: by these they go on
 * to be known, here and to earlier releases.
 */
const MENDED: Record<string, string> = {
  // 0001_initial.sql: its head
  '734a6b1ec8fc6cd8a107d96511bd330603d683f8a26435110f6b3b510b584df5':
    '8746e13838a1e3ef4e4fc71db949bc1e82caf28dba0e38d7b5b3e2454a45c592',
};

interface Migration extends AppliedMigration {
  sql: string;
}

async function migrationTexts(): Promise<Migration[]> {
  const directory = join(packageRoot, 'migrations');
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(directory, name), 'utf8');
      const sha256 = createHash('sha256').update(sql).digest('hex');
      return { name, sql, sha256: MENDED[sha256] ?? sha256 };
    }),
  );
}

/** A migration as it was applied; another text under the same name would be another one. */
export interface AppliedMigration {
  name: string;
  sha256: string;
}

/** The migrations that this version of the service has, in the order in which they are applied. */
export const readMigrations = async (): Promise<AppliedMigration[]> =>
  (await migrationTexts()).map(({ name, sha256 }) => ({ name, sha256 }));

/** The migrations that a database has had. */
export async function selectApplied(db: Queryable): Promise<AppliedMigration[]> {
  const { rows } = await db.query<AppliedMigration>(
    'select name, sha256 from schema_migrations order by name',
  );
  return rows;
}

/** The functions that migrations make, whichever of them have been applied. */
export async function functionsOfMigrations(): Promise<string[]> {
  const texts = await migrationTexts();
  const made = texts.flatMap(({ sql }) => [...sql.matchAll(/^create (?:or replace )?function (\w+)/gim)]);
  return [...new Set(made.flatMap(([, name]) => name ?? []))];
}

/** The tables that migrations make, whichever of them have been applied. */
export async function tablesOfMigrations(): Promise<string[]> {
  const texts = await migrationTexts();
  const made = texts.flatMap(({ sql }) =>
    [...sql.matchAll(/^create (?:unlogged )?table (?:if not exists )?(\w+)/gim)].map(([, name]) => name),
  );
  return ['schema_migrations', ...made.filter((name) => name !== undefined)];
}

/**
 * Brings the schema to the newest migration, forward only, all or nothing, under a lock, so that instances that start
 * together do not race.
 *
 * A newer release may have migrated further: each migration lets the release before it go on, so this one starts on such a
 * schema, unless a migration says by its first line, `-- breaking`, that it does not.
 *
 * @returns names of the migrations that were applied
 * @throws Error when an applied migration's text was changed afterwards, a newer release's is breaking, or the role of the
 *   connection may not apply what is due
 */
export async function migrate(db: Database): Promise<string[]> {
  const system = forSystem(db);
  // a role that does not own the tables may look, and nothing more
  if (await isCurrent(system)) return [];
  return system
    .transaction((tx) => migrateWithin(tx), { unlimited: true })
    .catch((error: unknown) => {
      throw isDenied(error) ? new Error(`${DENIED} (${error.message})`, { cause: error }) : error;
    });
}

const DENIED =
  'the schema has to be migrated, which the role of DATABASE_URL may not do: set DATABASE_MIGRATION_URL to its owner, or run forge migrate as its owner';
const isDenied = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === '42501';

async function isCurrent(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    `select to_regclass('schema_migrations') is not null as found`,
  );
  return rows[0]?.found === true && (await pendingOf(db, await migrationTexts())).length === 0;
}

/**
 * Those that the database has not had.
 *
 * @throws Error as `migrate`
 */
async function pendingOf(db: Queryable, migrations: readonly Migration[]): Promise<Migration[]> {
  // by way of JSON, since the column is younger than the table
  const { rows } = await db.query<AppliedMigration & { breaking: boolean }>(
    `select name, sha256, coalesce((to_jsonb(m) ->> 'breaking')::boolean, false) as breaking
     from schema_migrations m`,
  );
  refuseBreaking(rows.filter(({ name }) => !migrations.some((own) => own.name === name)));
  const applied = new Map(rows.map((row) => [row.name, row.sha256]));
  const changed = migrations.find(({ name, sha256 }) => (applied.get(name) ?? sha256) !== sha256);
  if (changed) throw new Error(`migration ${changed.name} was changed after it had been applied`);
  return migrations.filter(({ name }) => !applied.has(name));
}

/**
 * What does what a text of several statements says. On a cluster they are sent one by one: Citus sends the whole text to the nodes where
 * it makes an index, and these refuse it.
 */
export async function textApplier(tx: Queryable): Promise<(sql: string) => Promise<void>> {
  const { rows } = await tx.query<{ has_citus: boolean }>(
    `select to_regclass('pg_catalog.pg_dist_partition') is not null as has_citus`,
  );
  return async (sql) => {
    for (const statement of rows[0]?.has_citus ? sqlStatements(sql) : [sql]) await tx.query(statement);
  };
}

/**
 * The same within a transaction of the caller's.
 *
 * @param only the names of those that are to be applied; left out: all
 */
export async function migrateWithin(tx: Queryable, only?: ReadonlySet<string>): Promise<string[]> {
  const migrations = await migrationTexts();
  await tx.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  await tx.query(`create table if not exists schema_migrations (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`);
  await tx.query(
    'alter table schema_migrations add column if not exists breaking boolean not null default false',
  );
  const pending = await pendingOf(tx, migrations);
  const due = pending.filter(({ name }) => only?.has(name) ?? true);
  const apply = await textApplier(tx);
  for (const { name, sql, sha256 } of due) {
    await apply(sql);
    await tx.query('insert into schema_migrations (name, sha256, breaking) values ($1, $2, $3)', [
      name,
      sha256,
      sql.startsWith(BREAKING),
    ]);
  }
  return due.map(({ name }) => name);
}

function refuseBreaking(newer: readonly { name: string; breaking: boolean }[]): void {
  const breaking = newer.find((migration) => migration.breaking);
  if (!breaking) return;
  throw new Error(
    `the database was migrated by a newer release that this one cannot work beside (${breaking.name}): start the newer release`,
  );
}

/** Migrations of newer releases that the database has had: this one knows nothing of what they have added. */
export async function newerMigrations(db: Queryable): Promise<string[]> {
  const own = new Set((await readMigrations()).map(({ name }) => name));
  return (await selectApplied(db)).map(({ name }) => name).filter((name) => !own.has(name));
}
