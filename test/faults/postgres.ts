import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);

/** What a suite can do to the server of TEST_DATABASE_URL. It must be one of its own: every database on it suffers. */
export interface FaultServer {
  url: string;
  /** Ends every connection of the service. */
  terminate(): Promise<void>;
  /** Holds the tables of files, jobs and turns locked for so long. */
  lockTables(ms: number): Promise<void>;
  /** Stops every process of the server where it is, as `docker pause` does. Null where this process may not. */
  pause: (() => void) | null;
  resume(): void;
  /** Crashes and starts it again. Null where FAULT_PG_RESTART does not name the command that starts it. */
  crash: (() => Promise<void>) | null;
  /** Makes a database whose tables are in a folder of this machine. Null where the server is on another. */
  placeOn: ((folder: string) => Promise<{ url: string; remove(): Promise<void> }>) | null;
}

async function onServer<R extends pg.QueryResultRow>(url: string, sql: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return (await client.query<R>(sql).finally(() => client.end().catch(() => undefined))).rows;
}

const maySignal = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** The processes of the server: its postmaster, and whatever that has started. */
export async function processesOf(postmaster: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(postmaster)]).catch(() => ({
    stdout: '',
  }));
  return [postmaster, ...stdout.split(/\s+/).filter(Boolean).map(Number)];
}

/** The server's first process; null where that is not told. It is another after a crash. */
async function postmasterOf(url: string): Promise<number | null> {
  const [row] = await onServer<{ postmaster: number | null }>(
    url,
    `select (regexp_match(pg_read_file('postmaster.pid'), '^\\d+'))[1]::int as postmaster`,
  ).catch(() => []);
  return row?.postmaster ?? null;
}

/** A database in a tablespace of its own. */
async function placeDatabase(url: string, folder: string) {
  const { uid, gid } = await stat(`/proc/${await postmasterOf(url)}`);
  const place = join(folder, 'tables');
  await mkdir(place, { mode: 0o700 });
  for (const one of [folder, place]) await chown(one, uid, gid);
  const name = `forge_faults_${randomBytes(6).toString('hex')}`;
  await onServer(url, `create tablespace ${name} location '${place}'`);
  await onServer(url, `create database ${name} tablespace ${name}`);
  const placed = new URL(url);
  placed.pathname = `/${name}`;
  return {
    url: placed.href,
    async remove() {
      await onServer(url, `drop database ${name} with (force)`);
      await onServer(url, `drop tablespace ${name}`);
    },
  };
}

/** @param url of the service's database on it */
export async function openFaultServer(url: string): Promise<FaultServer> {
  const command = process.env.FAULT_PG_RESTART;
  // a server for tests may be set to lose in a crash what it has acknowledged
  await onServer(
    url,
    `do $$ begin execute format('alter database %I set synchronous_commit = on', current_database()); end $$`,
  );
  const postmaster = await postmasterOf(url);
  const canSignal = postmaster !== null && maySignal(postmaster);
  let paused: number[] = [];

  return {
    url,
    async terminate() {
      await onServer(
        url,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      );
    },
    async lockTables(ms) {
      await onServer(
        url,
        `begin; lock table files, jobs, turns in access exclusive mode; select pg_sleep(${ms / 1_000}); rollback`,
      ).catch(() => undefined);
    },
    pause: canSignal
      ? () => {
          process.kill(postmaster, 'SIGSTOP');
          paused = [postmaster];
          void processesOf(postmaster).then((pids) => {
            for (const pid of pids) if (maySignal(pid)) process.kill(pid, 'SIGSTOP');
            paused = pids;
          });
        }
      : null,
    resume() {
      for (const pid of paused.toReversed()) if (maySignal(pid)) process.kill(pid, 'SIGCONT');
      paused = [];
    },
    crash:
      command === undefined
        ? null
        : async () => {
            await run('bash', ['-c', command]);
          },
    placeOn: canSignal ? (folder) => placeDatabase(url, folder) : null,
  };
}
