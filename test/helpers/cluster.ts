import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { forSystem } from '../../src/db/bound-database.ts';
import { distribute, keepSettings } from '../../src/db/distribution/distribute.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open.ts';
import { packageRoot } from '../../src/package-root.ts';

/*
 * Databases on a cluster of Citus. Each is there on every node, made from one that was distributed before: its catalogue says which
 * node has what, and holds for the copies as well.
 */

/** Few, since each is a file of each table: enough that every node has two of them. */
const SHARDS = 4;

const onDatabase = (server: string, name: string): string => {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
};

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const sql of statements) await client.query(sql);
  } finally {
    await client.end();
  }
}

const onAll = (servers: readonly string[], statements: readonly string[]): Promise<unknown> =>
  Promise.all(servers.map((server) => run(server, statements)));

const STILL_USED = '55006';

/** A process of the cluster's own may come back between being ended and the drop. */
async function dropDatabase(servers: readonly string[], name: string): Promise<void> {
  for (let left = 5; ; left -= 1) {
    try {
      await onAll(servers, [`drop database if exists ${name} with (force)`]);
      return;
    } catch (error) {
      if (left === 1 || (error as { code?: string }).code !== STILL_USED) throw error;
    }
  }
}

const hostOf = (server: string): string => {
  const { hostname, port } = new URL(server);
  return `'${hostname}', ${port || 5432}`;
};

/** An empty database on every node that knows of the others. */
async function createCluster(servers: readonly [string, ...string[]], name: string): Promise<string> {
  const [coordinator, ...workers] = servers;
  await onAll(servers, [`create database ${name}`]);
  await onAll(
    servers.map((server) => onDatabase(server, name)),
    ['create extension citus', 'create extension vector'],
  );
  const url = onDatabase(coordinator, name);
  await run(url, [
    `select citus_set_coordinator_host(${hostOf(coordinator)})`,
    ...workers.map((worker) => `select citus_add_node(${hostOf(worker)})`),
    // not a setting of every node, whose copies have another name
    'set citus.enable_ddl_propagation = off',
    `alter database ${name} set citus.shard_count = ${SHARDS}`,
  ]);
  return url;
}

/** Changes with whatever the template is made by. */
async function templateName(): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of ['migrations', 'src/db/distribution']) {
    for (const name of (await readdir(join(packageRoot, folder))).sort()) {
      hash.update(name).update(await readFile(join(packageRoot, folder, name)));
    }
  }
  return `forge_template_${hash.digest('hex').slice(0, 16)}`;
}

/** The servers that TEST_CITUS_URLS names, the coordinator first; undefined where it names none. */
export function clusterServers(): [string, ...string[]] | undefined {
  const [coordinator, ...workers] = (process.env.TEST_CITUS_URLS ?? '').split(',').filter(Boolean);
  return coordinator === undefined ? undefined : [coordinator, ...workers];
}

/**
 * Makes what the databases of a run are copied from, unless an earlier run has left it.
 *
 * @param servers addresses of the nodes, the coordinator first, by roles that may create databases
 */
export async function prepareTemplate(servers: readonly [string, ...string[]]): Promise<void> {
  const name = await templateName();
  const client = new pg.Client({ connectionString: servers[0] });
  await client.connect();
  const { rows } = await client.query(`select 1 from pg_database where datname = $1 and not datallowconn`, [
    name,
  ]);
  await client.end();
  if (rows.length > 0) return;
  await dropDatabase(servers, name);
  const url = await createCluster(servers, name);
  const db = await openDatabase({ url, dataDir: '', poolSize: 1 });
  try {
    await migrate(db);
    await distribute(forSystem(db));
  } finally {
    await db.close();
  }
  // nobody may be connected to what is copied, and a cluster's own processes come back
  await onAll(servers, [
    `alter database ${name} allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  ]);
}

/** A fresh database that is distributed over the nodes: its address on the coordinator, and what removes it. */
export async function createDistributed(
  servers: readonly [string, ...string[]],
): Promise<{ url: string; remove: () => Promise<unknown> }> {
  const name = `forge_test_${randomBytes(8).toString('hex')}`;
  await onAll(servers, [`create database ${name} template ${await templateName()}`]);
  const url = onDatabase(servers[0], name);
  const db = await openDatabase({ url, dataDir: '', poolSize: 1 });
  await keepSettings(forSystem(db)).finally(() => db.close());
  return { url, remove: () => dropDatabase(servers, name) };
}

/** A fresh, empty database of a cluster, of which nothing is distributed yet: its address on the coordinator, and what removes it. */
export async function createUndistributed(
  servers: readonly [string, ...string[]],
): Promise<{ url: string; remove: () => Promise<unknown> }> {
  const name = `forge_test_${randomBytes(8).toString('hex')}`;
  return { url: await createCluster(servers, name), remove: () => dropDatabase(servers, name) };
}

/** Adds a node to the cluster of a database; it holds nothing yet. */
export async function addNode(url: string, server: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await run(server, [`create database ${name}`]);
  await run(onDatabase(server, name), ['create extension citus', 'create extension vector']);
  await run(url, [
    // of the template that it was copied from: the new node has none of that name
    `delete from pg_dist_object where classid = 'pg_database'::regclass`,
    `select citus_add_node(${hostOf(server)})`,
  ]);
}
