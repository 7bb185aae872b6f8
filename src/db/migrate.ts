import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';
import type { Database, Queryable } from './database.ts';

/** Any number, the same in every instance: who holds it migrates. */
const MIGRATION_LOCK = 4_201_977_310;

interface Migration extends AppliedMigration {
  sql: string;
}

async function migrationTexts(): Promise<Migration[]> {
  const directory = join(packageRoot, 'migrations');
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(directory, name), 'utf8');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
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
 * @returns names of the migrations that were applied
 * @throws Error when an applied migration's text was changed afterwards
 */
export const migrate = (db: Database): Promise<string[]> => db.transaction((tx) => migrateWithin(tx));

/**
 * The same within a transaction of the caller's.
 *
 * @param only the names of those that are to be applied; left out: all
 */
export async function migrateWithin(tx: Queryable, only?: ReadonlySet<string>): Promise<string[]> {
  const migrations = (await migrationTexts()).filter(({ name }) => only?.has(name) ?? true);
  await tx.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  await tx.query(`create table if not exists schema_migrations (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`);
  const applied = new Map((await selectApplied(tx)).map(({ name, sha256 }) => [name, sha256]));
  const done: string[] = [];
  for (const { name, sql, sha256 } of migrations) {
    const before = applied.get(name);
    if (before === sha256) continue;
    if (before !== undefined) throw new Error(`migration ${name} was changed after it had been applied`);
    await tx.query(sql);
    await tx.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sha256]);
    done.push(name);
  }
  return done;
}
