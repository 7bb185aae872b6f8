import { createHash, randomBytes } from 'node:crypto';
import { constants, cpSync, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { forSystem } from '../../src/db/bound-database.ts';
import type { Database } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open.ts';
import { packageRoot } from '../../src/package-root.ts';
import { clusterServers, createDistributed, createUndistributed } from './cluster.ts';
import { recordPlans } from './statement-plans.ts';

const TEMPLATES = join(packageRoot, 'node_modules', '.cache', 'forge-test');

/** Changes with the schema and with the embedded Postgres, so that a template of either before is not used again. */
async function templateKey(): Promise<string> {
  const hash = createHash('sha256');
  const migrations = join(packageRoot, 'migrations');
  for (const name of (await readdir(migrations)).sort()) {
    hash.update(name).update(await readFile(join(migrations, name)));
  }
  hash.update(await readFile(join(packageRoot, 'node_modules/@electric-sql/pglite/package.json')));
  return hash.digest('hex').slice(0, 16);
}

/** Folder of a migrated, closed database. Workers that come at once each build one; the first rename wins. */
async function templateFolder(): Promise<string> {
  const template = join(TEMPLATES, await templateKey());
  if (existsSync(template)) return template;
  await mkdir(TEMPLATES, { recursive: true });
  const building = await mkdtemp(join(TEMPLATES, 'building-'));
  const db = await openDatabase({ url: undefined, dataDir: building, poolSize: 1 });
  await migrate(db);
  await db.close();
  await rename(building, template).catch(async (error: unknown) => {
    await rm(building, { recursive: true, force: true });
    if (!existsSync(template)) throw error;
  });
  return template;
}

async function openEmbedded(): Promise<Database> {
  const dataDir = await mkdtemp(join(tmpdir(), 'forge-test-'));
  // a thousand small files: the synchronous copy takes half the time of the asynchronous one
  cpSync(await templateFolder(), dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE });
  const db = await openDatabase({ url: undefined, dataDir, poolSize: 1 });
  return {
    ...db,
    async close() {
      await db.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function openOnServer(server: string, options: { prepare?: boolean }): Promise<Database> {
  const name = `forge_test_${randomBytes(8).toString('hex')}`;
  await onServer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const prepare = options.prepare ?? (process.env.TEST_DATABASE_PREPARE === 'true' || undefined);
  const terms = { poolSize: 4, ...(prepare !== undefined && { prepare }) };
  const db = await openDatabase({ url: url.href, dataDir: '', ...terms });
  await migrate(db);
  return {
    ...db,
    async close() {
      await db.close();
      await onServer(server, `drop database if exists ${name} with (force)`);
    },
  };
}

async function openOnCluster(
  nodes: readonly [string, ...string[]],
  options: { prepare?: boolean },
): Promise<Database> {
  const { url, remove } = await createDistributed(nodes);
  const db = await openDatabase({ url, dataDir: '', poolSize: 4, ...options });
  const file = process.env.TEST_PLANS_FILE;
  const explaining = file ? await openDatabase({ url, dataDir: '', poolSize: 2 }) : undefined;
  return {
    ...(file && explaining ? recordPlans(db, forSystem(explaining), file) : db),
    async close() {
      await db.close();
      await explaining?.close();
      await remove();
    },
  };
}

/**
 * A fresh, migrated database of the caller's own, gone after `close`: one that is distributed over the cluster of TEST_CITUS_URLS,
 * a new one on the server that TEST_DATABASE_URL names, else the embedded one in a temporary folder, copied from a template so that it opens at once.
 *
 * @param options.embedded the embedded one, whatever TEST_DATABASE_URL says
 */
export async function openTestDatabase(
  options: { prepare?: boolean; embedded?: boolean } = {},
): Promise<Database> {
  if (options.embedded) return openEmbedded();
  const nodes = clusterServers();
  if (nodes) return openOnCluster(nodes, options);
  const server = process.env.TEST_DATABASE_URL;
  return server ? openOnServer(server, options) : openEmbedded();
}

async function openBeforeDistribution(nodes: readonly [string, ...string[]]): Promise<Database> {
  const { url, remove } = await createUndistributed(nodes);
  const db = await openDatabase({ url, dataDir: '', poolSize: 4 });
  return {
    ...db,
    async close() {
      await db.close();
      await remove();
    },
  };
}

/** A fresh database that nobody has migrated, gone after `close`; on a cluster nothing is distributed. */
export async function openEmptyDatabase(): Promise<Database> {
  const nodes = clusterServers();
  if (nodes) return openBeforeDistribution(nodes);
  const db = await openTestDatabase();
  await db.query('drop schema public cascade; create schema public');
  return db;
}

/**
 * As `openTestDatabase`, but one that is whole on one server, also where the others are distributed: for what a distributed one refuses
 * (docs/scaling.md says what), which is then asked of one of these as well.
 */
export async function openUndistributedDatabase(): Promise<Database> {
  const nodes = clusterServers();
  if (!nodes) return openTestDatabase();
  const db = await openBeforeDistribution(nodes);
  await migrate(db);
  return db;
}
