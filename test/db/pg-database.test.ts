import { afterEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { openPgDatabase, type PgDatabaseOptions } from '../../src/db/pg-database.ts';
import { DatabaseError } from '../../src/errors.ts';
import { type FakePostgres, type StatementFate, startFakePostgres } from '../fakes/postgres-server.ts';

let server: FakePostgres;
let db: Database;
afterEach(async () => {
  await db.close();
  await server.close();
});

async function open(
  script: (sql: string) => StatementFate | undefined = () => 'ok',
  options: Partial<PgDatabaseOptions> = {},
  kind: { isPooler?: boolean } = {},
): Promise<void> {
  server = await startFakePostgres(script, kind);
  db = openPgDatabase({ url: server.url, poolSize: 1, ...options });
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'it went through',
    (error: unknown) => error,
  );
const UNAVAILABLE = { name: 'DatabaseError', trouble: 'unavailable', isPostponed: true };
const goesThrough = () => expect(db.query('select 1', [])).resolves.toMatchObject({ rowCount: 0 });

describe('a connection that is lost', () => {
  it('between two statements ends its transaction, and nothing else', async () => {
    await open();
    const failure = await failureOf(
      db.transaction(async (tx) => {
        await server.cutAll();
        await new Promise((resolve) => setImmediate(resolve));
        await tx.query('update files set name = name', []);
      }),
    );
    expect(failure).toMatchObject({ ...UNAVAILABLE, mayGoThrough: true });
    await goesThrough();
    expect(server.connections).toBe(2);
  });

  it.each([
    ['a read', (sql: string) => db.query(sql, []), 'select now()', true],
    ['a change', (sql: string) => db.query(sql, []), 'update files set name = name', false],
    ['a transaction', (sql: string) => db.transaction((tx) => tx.query(sql, [])), 'delete from files', true],
    ['a commit', () => db.transaction(async () => undefined), 'commit', false],
  ])('during %s says whether it may have been done', async (_what, work, sql, mayGoThrough) => {
    await open((statement) => (statement === sql && server.connections === 1 ? 'cut' : 'ok'));
    expect(await failureOf(work(sql))).toMatchObject({ ...UNAVAILABLE, mayGoThrough });
    await goesThrough();
    expect(server.statements).not.toContain('rollback');
  });

  it('cannot be had at all', async () => {
    await open();
    await server.close();
    const failure = await failureOf(db.query('update files set name = name', []));
    expect(failure).toMatchObject({ ...UNAVAILABLE, mayGoThrough: true, code: 'ECONNREFUSED' });
  });
});

describe('a server that hangs', () => {
  it('is given up by the client, and its connection with it', async () => {
    await open((sql) => (sql === 'select 2' ? 'silent' : 'ok'), { answerTimeoutMs: 20 });
    expect(await failureOf(db.query('select 2', []))).toMatchObject(UNAVAILABLE);
    expect(await failureOf(db.transaction((tx) => tx.query('select 2', [])))).toMatchObject(UNAVAILABLE);
    await goesThrough();
    expect(server.connections).toBe(3);
  });

  it('does not hold those who wait for a connection', async () => {
    await open((sql) => (sql === 'select 2' ? 'silent' : 'ok'), {
      connectTimeoutMs: 500,
      answerTimeoutMs: 1_000,
    });
    await goesThrough();
    const failures = await Promise.all([
      failureOf(db.query('select 2', [])),
      failureOf(db.query('select 3')),
    ]);
    expect(failures).toMatchObject([UNAVAILABLE, UNAVAILABLE]);
    // the first connection has found out whether it is held to a workspace
    expect(server.statements.slice(1)).toEqual(['select 1', 'select 2']);
  });
});

describe('what a server says', () => {
  it.each([
    ['57P01', 'unavailable', true, 2],
    ['57P03', 'unavailable', true, 2],
    ['25006', 'unavailable', true, 2],
    ['53300', 'unavailable', true, 1],
    ['57014', 'unavailable', true, 1],
    ['55P03', 'unavailable', true, 1],
    ['40P01', 'unavailable', true, 1],
    ['58030', 'unavailable', true, 1],
    ['28P01', 'unavailable', false, 1],
    ['53100', 'full', false, 1],
    ['22021', 'unstorable', false, 1],
    ['22P05', 'unstorable', false, 1],
  ])('by SQLSTATE %s is that it is %s', async (sqlState, trouble, mayGoThrough, connections) => {
    await open((sql) => (sql === 'update files set name = name' ? { sqlState } : 'ok'));
    const failure = await failureOf(db.query('update files set name = name', []));
    expect(failure).toBeInstanceOf(DatabaseError);
    expect(failure).toMatchObject({ trouble, mayGoThrough, code: sqlState });
    await goesThrough();
    expect(server.connections).toBe(connections);
  });

  it("stays as it is where it is the statement's own fault", async () => {
    await open((sql) => (sql.startsWith('insert') ? { sqlState: '23505' } : 'ok'));
    const failure = await failureOf(db.transaction((tx) => tx.query('insert into files values (1)', [])));
    expect(failure).not.toBeInstanceOf(DatabaseError);
    expect(failure).toMatchObject({ code: '23505' });
    expect(server.statements).toContain('rollback');
    await goesThrough();
    expect(server.connections).toBe(1);
  });
});

describe('a pooler, which takes no settings for a session', () => {
  it('has the limits with each transaction, and is asked only once for more', async () => {
    await open(undefined, { poolSize: 2, statementTimeoutMs: 5_000 }, { isPooler: true });
    await goesThrough();
    await db.transaction((tx) => tx.query('select 2', []));
    // the first connection has found out whether it is held to a workspace
    expect(server.statements.slice(1)).toEqual([
      'select 1',
      'begin; set local statement_timeout = 5000; set local idle_in_transaction_session_timeout = 60000',
      'select 2',
      'commit',
    ]);
    await Promise.all([goesThrough(), goesThrough()]);
    expect(server.connections).toBe(3);
  });

  it('keeps a statement only where it is said to know how', async () => {
    await open(undefined, {}, { isPooler: true });
    await db.query('select $1', [1]);
    expect(server.prepared).toEqual(['']);
    await db.close();
    db = openPgDatabase({ url: server.url, poolSize: 1, prepare: true });
    await db.query('select $1', [1]);
    expect(server.prepared.at(-1)).toMatch(/^forge_\d+$/);
  });
});
