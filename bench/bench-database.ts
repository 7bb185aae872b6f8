import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { openDatabase } from '../src/db/open.ts';
import { grantServiceRole } from '../src/db/service-role.ts';

/** Where to measure: always embedded, and on the server that BENCH_DATABASE_URL or TEST_DATABASE_URL names. */
export function benchTargets(): (string | undefined)[] {
  const server = process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL;
  return server ? [undefined, server] : [undefined];
}

/** Where it is given, the server is measured as this role, which row-level security holds to a workspace. */
const role = process.env.BENCH_DATABASE_ROLE;

async function withServiceRole<T>(owner: Database, url: URL, run: (db: Database) => Promise<T>): Promise<T> {
  const name = role ?? '';
  await grantServiceRole(owner, name);
  const own = new URL(url);
  own.username = name;
  const db = await openDatabase({ url: own.href, dataDir: '', poolSize: 10 });
  try {
    return await run(db);
  } finally {
    await db.close();
  }
}

/**
 * Runs with a migrated database of its own: embedded in a temporary folder, or a new one on the server, then dropped.
 *
 * @param kept name of one on the server that is there from an earlier run, or is made, and stays
 */
export async function withBenchDatabase<T>(
  server: string | undefined,
  run: (db: Database) => Promise<T>,
  kept?: string,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-bench-'));
  const name = kept ?? `forge_bench_${process.pid}`;
  const admin = server ? await openDatabase({ url: server, dataDir: '', poolSize: 1 }) : null;
  const url = server && new URL(server);
  if (url) url.pathname = `/${name}`;
  const isThere = await admin?.query('select from pg_database where datname = $1', [name]);
  if (isThere?.rowCount === 0) await admin?.query(`create database ${name}`);
  const db = await openDatabase({ url: url ? url.href : undefined, dataDir: folder, poolSize: 10 });
  try {
    await migrate(db);
    return await (url && role ? withServiceRole(db, url, run) : run(db));
  } finally {
    await db.close();
    if (kept === undefined) await admin?.query(`drop database ${name} with (force)`);
    await admin?.close();
    await rm(folder, { recursive: true, force: true });
  }
}
