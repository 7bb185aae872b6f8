#!/usr/bin/env node
// The tests that need a database, on a real Postgres with pgvector: the server of TEST_DATABASE_URL, else one that is
// installed here, started for this run alone, else a container. `--find` says which it would be, and exits with 1 where
// there is none; other arguments go to vitest. Plain Node.js, no dependency.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const DOCKER_SOCKET = '/var/run/docker.sock';

const ADVICE = `there is no Postgres with pgvector to test on. Any of these will do:
  - install both: \`apt install postgresql-17-pgvector\` (Debian 13, or the packages of the PostgreSQL project for other
    systems), \`brew install postgresql@17 pgvector\`; PG_CONFIG=/path/to/pg_config names one in another place
  - run a Docker engine, or name one by DOCKER_HOST: the tests then start pgvector/pgvector:pg17
  - TEST_DATABASE_URL=postgres://user:password@host:5432/postgres, of a role that may create databases`;

const say = (text) => process.stdout.write(`postgres: ${text}\n`);

/** What a program prints, without the line end; undefined when it is not there or fails. */
function outputOf(command, args) {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** Folders that may have the server's programs: the one that pg_config names, then Debian's, newest first. */
function* candidateFolders() {
  const named = outputOf(process.env.PG_CONFIG || 'pg_config', ['--bindir']);
  if (named) yield named;
  const debian = '/usr/lib/postgresql';
  if (!existsSync(debian)) return;
  for (const major of readdirSync(debian).sort((a, b) => Number(b) - Number(a))) {
    yield join(debian, major, 'bin');
  }
}

/** Folder of the programs of an installed server that has pgvector. */
function findPrograms() {
  for (const folder of new Set(candidateFolders())) {
    if (!existsSync(join(folder, 'initdb')) || !existsSync(join(folder, 'postgres'))) continue;
    const shared = outputOf(join(folder, 'pg_config'), ['--sharedir']);
    if (shared && existsSync(join(shared, 'extension', 'vector.control'))) return folder;
    say(`${folder} has no pgvector`);
  }
  return undefined;
}

/** Postgres does not run as root: then its programs run as the user of its package, or as nobody. */
function serverUser() {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((option) => outputOf('id', [option, name]));
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('run this as a user other than root: there is neither a user postgres nor nobody');
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A cluster in a folder of its own, whose one role has a password that is made up for it. */
function createCluster(programs, user) {
  const folder = mkdtempSync(join(tmpdir(), 'forge-postgres-'));
  const password = randomBytes(16).toString('hex');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user.uid !== undefined) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid);
  const data = join(folder, 'data');
  const options = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
  const locale = ['-E', 'UTF8', '--locale=C', '--no-sync'];
  const { status, stderr, error } = spawnSync(join(programs, 'initdb'), ['-D', data, ...options, ...locale], {
    ...user,
    cwd: folder,
    encoding: 'utf8',
  });
  if (status === 0) return { folder, data, password };
  rmSync(folder, { recursive: true, force: true });
  throw new Error(`initdb failed: ${error?.message ?? stderr}`);
}

// the data is gone when the tests are, so nothing waits for the disk
const SERVER_OPTIONS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'lc_messages=C',
];

/** Starts a server on loopback and waits until it takes connections. */
async function startServer(programs) {
  const user = serverUser();
  const { folder, data, password } = createCluster(programs, user);
  const port = await freePort();
  const options = SERVER_OPTIONS.flatMap((option) => ['-c', option]);
  // in a process group of its own: Ctrl-C ends the tests first, and the server after them
  const server = spawn(join(programs, 'postgres'), ['-D', data, '-p', String(port), ...options], {
    ...user,
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => {
    server.once('exit', resolve);
    server.once('error', resolve);
  });
  const stop = async () => {
    server.kill('SIGINT'); // ends its sessions and itself
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  let log = '';
  const ready = new Promise((resolve) => {
    server.stderr.setEncoding('utf8').on('data', (text) => {
      log = (log + text).slice(-10_000);
      if (log.includes('ready to accept connections')) resolve(true);
    });
  });
  if ((await Promise.race([ready, ended])) !== true) {
    await stop();
    throw new Error(`the server did not start:\n${log}`);
  }
  return { url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, stop };
}

/** Where the tests find their server: how to say it, and how to start it where that is not done by others. */
function findPostgres() {
  if (process.env.TEST_DATABASE_URL) return { name: 'the server of TEST_DATABASE_URL' };
  const programs = findPrograms();
  if (programs) return { name: `a server of this run, by ${programs}`, start: () => startServer(programs) };
  // test/global-setup.ts starts the container, and looks for an engine in the same two places
  const engine = process.env.DOCKER_HOST || existsSync(DOCKER_SOCKET);
  if (engine && outputOf('docker', ['version', '--format', '{{.Server.Version}}'])) {
    return { name: `a container${process.env.DOCKER_HOST ? ' of DOCKER_HOST' : ''}` };
  }
  return undefined;
}

/** Runs the tests and gives their exit code; a signal that came meanwhile, or comes, ends them. */
async function runTests(url, args, signals) {
  if (signals.came) return 1;
  const { TEST_DATABASE_URL: given, ...environment } = process.env;
  const server = url || given;
  const tests = spawn(process.execPath, ['scripts/forge.mjs', 'test', '--project', 'service', ...args], {
    cwd: root,
    stdio: 'inherit',
    // the tests of the API as a role that only serves: it is held to its workspaces
    env: { TEST_DATABASE_ROLE: 'service', ...environment, ...(server && { TEST_DATABASE_URL: server }) },
    // a process group, so that a signal reaches all of them
    detached: true,
  });
  signals.pass = (signal) => process.kill(-tests.pid, signal);
  const code = await new Promise((resolve, reject) => {
    tests.once('error', reject);
    tests.once('exit', resolve);
  });
  signals.pass = undefined;
  return code ?? 1;
}

const args = process.argv.slice(2);
const postgres = findPostgres();
if (postgres === undefined) {
  say(ADVICE);
  process.exitCode = 1;
} else {
  say(postgres.name);
  if (args[0] !== '--find') {
    // from here on something is to be tidied up, however this ends
    const signals = { came: false, pass: undefined };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.on(signal, () => {
        signals.came = true;
        signals.pass?.(signal);
      });
    }
    const server = await postgres.start?.();
    try {
      process.exitCode = await runTests(server?.url, args, signals);
    } finally {
      await server?.stop();
    }
  }
}
