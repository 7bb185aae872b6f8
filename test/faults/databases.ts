import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { say } from './table.ts';

/** A database for the services of a suite, gone after `remove`. */
export interface FaultDatabase {
  kind: 'embedded' | 'server';
  settings: Record<string, string>;
  remove(): Promise<void>;
}

async function embedded(): Promise<FaultDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-faults-'));
  return {
    kind: 'embedded',
    settings: { DATA_DIR: folder },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A new, empty one on a server. */
export async function onServer(server: string): Promise<FaultDatabase> {
  const name = `forge_faults_${randomBytes(6).toString('hex')}`;
  const run = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await run(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    kind: 'server',
    settings: { DATABASE_URL: url.href },
    remove: () => run(`drop database if exists ${name} with (force)`),
  };
}

/** The databases to try: the embedded one, and the server of TEST_DATABASE_URL where it is set. */
export function faultDatabases(): (() => Promise<FaultDatabase>)[] {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) say('  (TEST_DATABASE_URL is not set: the embedded database only)');
  return server ? [embedded, () => onServer(server)] : [embedded];
}
