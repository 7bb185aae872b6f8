import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort, otherThanRoot, startProgram } from '../faults/program.ts';

const run = promisify(execFile);

/** A standby may have no fewer of these than its server (PostgreSQL, "Hot Standby", administrator's overview). */
const NO_FEWER = [
  'max_connections',
  'max_worker_processes',
  'max_wal_senders',
  'max_prepared_transactions',
  'max_locks_per_transaction',
];

/** One row from a server, over a connection of its own. */
export async function ask<R extends pg.QueryResultRow>(url: string, sql: string): Promise<R | undefined> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return (await client.query<R>(sql).finally(() => client.end().catch(() => undefined))).rows[0];
}

/** The folder of the programs of a server of this version, if it is installed here; PG_CONFIG names one in another place. */
async function programsFor(server: string): Promise<string | null> {
  const row = await ask<{ major: number }>(
    server,
    `select current_setting('server_version_num')::int / 10000 as major`,
  );
  const outputOf = (program: string, ...args: string[]): string => {
    try {
      return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {
      return '';
    }
  };
  const named = outputOf(process.env.PG_CONFIG ?? 'pg_config', '--bindir');
  const folders = [named, `/usr/lib/postgresql/${row?.major}/bin`];
  const fits = (folder: string): boolean =>
    outputOf(join(folder, 'pg_basebackup'), '--version').includes(` ${row?.major}.`);
  return folders.find(fits) ?? null;
}

/**
 * A standby of a server on the loopback interface, made of a copy of it, which follows it as it changes. Null where the programs
 * for that are not installed.
 */
export async function startStandby(server: string) {
  const programs = await programsFor(server);
  if (programs === null) return null;
  const user = otherThanRoot();
  const port = await freePort();
  const settings = await ask<Record<string, string>>(
    server,
    `select ${NO_FEWER.map((name) => `current_setting('${name}') as ${name}`).join(', ')}`,
  );
  const options = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    // asks its server for changes again soon after either was away
    wal_retrieve_retry_interval: '200ms',
    ...settings,
  };
  const copy = ['-d', server, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
  const standby = await startProgram({
    program: join(programs, 'postgres'),
    configuration: () => '',
    prepare: async (folder) => {
      const data = join(folder, 'data');
      await run(join(programs, 'pg_basebackup'), ['-D', data, ...copy], { ...user, cwd: folder });
    },
    args: (folder) => [
      '-D',
      join(folder, 'data'),
      '-p',
      String(port),
      ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    port,
    ...(user && { user }),
  });
  const url = new URL(server);
  url.host = `127.0.0.1:${port}`;
  return { ...standby, url: url.href };
}
