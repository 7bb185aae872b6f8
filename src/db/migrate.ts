import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';
import type { Database } from './database.ts';

/** Any number, the same in every instance: who holds it migrates. */
const MIGRATION_LOCK = 4_201_977_310;

interface Migration {
  name: string;
  sql: string;
  sha256: string;
}

async function readMigrations(): Promise<Migration[]> {
  const directory = join(packageRoot, 'migrations');
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(directory, name), 'utf8');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/**
 * Brings the schema to the newest migration, forward only, all or nothing, under a lock, so that instances that start
 * together do not race.
 *
 * @returns names of the migrations that were applied
 * @throws Error when an applied migration's text was changed afterwards
 */
export async function migrate(db: Database): Promise<string[]> {
  const migrations = await readMigrations();
  return db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await tx.query(`create table if not exists schema_migrations (
      name text primary key, sha256 text not null, applied_at timestamptz not null default now())`);
    const { rows } = await tx.query<{ name: string; sha256: string }>(
      'select name, sha256 from schema_migrations',
    );
    const applied = new Map(rows.map((row) => [row.name, row.sha256]));
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
  });
}
