import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { packageRoot } from '../../src/package-root.ts';
import { findProgram, freePort, otherThanRoot, startProgram } from '../faults/program.ts';
import { type Row, say } from '../faults/table.ts';

/** The tests that lean most on what a connection keeps: transactions, locks, statements, the queue, streams, cancellation. */
const TESTS = [
  'test/db/database.service.test.ts',
  'test/db/jobs.service.test.ts',
  'test/db/turn-leases.service.test.ts',
  'test/db/documents.service.test.ts',
  'test/api/turns.service.test.ts',
  'test/api/turn-stream.service.test.ts',
  'test/api/turn-cancel.service.test.ts',
  'test/api/research.service.test.ts',
];
/** Of connections that are one client's own. */
const LEFT_OUT = 'are kept by the connections to a server';
/** Few, so that statements of one client meet what others have left on a connection. */
const SERVER_CONNECTIONS = 4;
/** From here on it knows the statements that its clients keep (https://www.pgbouncer.org/changelog.html). */
const KNOWS_PREPARED = [1, 21];

/** As little as it takes: nothing is said of start-up parameters. */
function configuration(server: URL, port: number, knowsPrepared: boolean): string {
  const { hostname, username, password } = server;
  const login = `user=${decodeURIComponent(username)}${password ? ` password='${decodeURIComponent(password)}'` : ''}`;
  return `[databases]
* = host=${hostname} port=${server.port || 5432} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
max_client_conn = 500
${knowsPrepared ? 'max_prepared_statements = 200' : ''}
`;
}

function versionOf(program: string): number[] {
  const text = execFileSync(program, ['--version'], { encoding: 'utf8' });
  return (/(\d+)\.(\d+)/.exec(text) ?? []).slice(1).map(Number);
}

/** A PgBouncer in transaction mode of one's own, before every database of a server. */
export async function startPgBouncer(program: string, server: string, knowsPrepared = false) {
  const port = await freePort();
  const user = otherThanRoot();
  const started = await startProgram({
    program,
    configuration: () => configuration(new URL(server), port, knowsPrepared),
    args: (_folder, file) => [file],
    port,
    ...(user && { user }),
  });
  const url = new URL(server);
  url.host = `127.0.0.1:${port}`;
  return { url: url.href, stop: started.stop };
}

async function runTests(databaseUrl: string, settings: Record<string, string>): Promise<number> {
  const child = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--project', 'service', '-t', `^(?!.*${LEFT_OUT})`, ...TESTS],
    {
      cwd: packageRoot,
      env: { ...process.env, TEST_DATABASE_URL: databaseUrl, ...settings },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}

/**
 * Tests of the service with a PgBouncer between it and its database that lends a connection for a transaction at a time:
 * with no settings for it in the service, and, where this PgBouncer knows kept statements, with those as well.
 */
export async function throughPgBouncer(): Promise<Row[]> {
  const server = process.env.TEST_DATABASE_URL;
  const program = findProgram('pgbouncer');
  if (!server) return [{ skipped: 'TEST_DATABASE_URL names no server', failed: '' }];
  if (program === null) return [{ skipped: 'pgbouncer is not installed', failed: '' }];
  const version = versionOf(program);
  const rows: Row[] = [];
  for (const statements of ['not kept', 'kept'] as const) {
    const row = { pgbouncer: version.join('.'), mode: 'transaction', statements };
    const [major = 0, minor = 0] = version;
    const knows = major > 1 || minor >= (KNOWS_PREPARED[1] ?? 0);
    if (statements === 'kept' && !knows) {
      rows.push({ ...row, skipped: `it knows them from ${KNOWS_PREPARED.join('.')} on`, failed: '' });
      continue;
    }
    const pooler = await startPgBouncer(program, server, statements === 'kept');
    try {
      say(`  ${TESTS.length} files of tests through ${pooler.url}`);
      const code = await runTests(pooler.url, statements === 'kept' ? { TEST_DATABASE_PREPARE: 'true' } : {});
      rows.push({ ...row, files: TESTS.length, failed: code === 0 ? '' : 'tests failed, see above' });
    } finally {
      await pooler.stop();
    }
  }
  return rows;
}
