import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createStatements } from '../../src/db/pglite-statements.ts';

const MINUTE = 60_000;

describe('createStatements', () => {
  let db: PGlite;
  let now: number;
  let statements: ReturnType<typeof createStatements>;

  beforeAll(async () => {
    db = await PGlite.create({});
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    await db.exec(
      'deallocate all; drop table if exists note; create table note (id int primary key, text text)',
    );
    now = 0;
    statements = createStatements(db, () => now);
  });

  const run = async (sql: string, params: unknown[] = []) => (await statements.run(sql, params))?.rows;
  const failure = (sql: string, params: unknown[]): Promise<unknown> =>
    statements.run(sql, params).then(
      () => 'no failure',
      (error: { code?: string }) => error.code,
    );
  const keptTimes = async (sql: string) => {
    const { rows } = await db.query<{ times: number }>(
      `select (generic_plans + custom_plans)::int as times from pg_prepared_statements where statement = $1`,
      [sql],
    );
    return rows.map(({ times }) => times);
  };

  it('parses a statement with parameters once', async () => {
    const sql = 'select $1::int + 1 as next';
    for (const [given, next] of [
      [1, 2],
      [2, 3],
      [40, 41],
    ] as const) {
      expect(await run(sql, [given])).toEqual([{ next }]);
    }
    expect(await keptTimes(sql)).toEqual([3]);
  });

  it('counts the rows that a statement changed', async () => {
    const insert = 'insert into note select n, $1 from generate_series(1, 3) n';
    expect((await statements.run(insert, ['a']))?.affectedRows).toBe(3);
    expect((await statements.run('delete from note where id > $1', [1]))?.affectedRows).toBe(2);
  });

  it('reads and writes what node-postgres would', async () => {
    const bytes = Buffer.from([0, 1, 255]);
    const given = [bytes, ['a', 'b "c"', null], { k: [1] }, new Date(0), true, null, undefined];
    const types = ['bytea', 'text[]', 'jsonb', 'timestamptz', 'boolean', 'text', 'int'];
    const columns = types.map((type, index) => `$${index + 1}::${type} as c${index}`);
    const [row] = (await run(`select ${columns.join(', ')}, 7::bigint as big`, given)) ?? [];
    expect(row).toEqual({
      ...{ c0: bytes, c1: given[1], c2: given[2], c3: given[3], c4: true, c5: null, c6: null, big: '7' },
    });
  });

  it('says why a statement failed, and answers the next', async () => {
    const insert = 'insert into note values ($1, $2)';
    await run(insert, [1, 'a']);
    expect(await failure(insert, [1, 'b'])).toBe('23505');
    expect(await failure(insert, ['one', 'b'])).toBe('22P02');
    expect(await failure('select nothing from note where id = $1', [1])).toBe('42703');
    expect(await run('select text from note where id = $1', [1])).toEqual([{ text: 'a' }]);
  });

  it('answers again when a transaction that failed is rolled back', async () => {
    const insert = 'insert into note values ($1, $2)';
    await run(insert, [1, 'a']);
    await statements.run('begin', undefined);
    expect(await failure(insert, [1, 'b'])).toBe('23505');
    expect(await failure('select text from note where id = $1', [1])).toBe('25P02');
    await statements.run('rollback', undefined);
    expect(await run('select text from note where id = $1', [1])).toEqual([{ text: 'a' }]);
  });

  it('plans anew after a minute, for tables that have grown', async () => {
    const sql = 'select text from note where id = $1';
    for (let time = 0; time < 10; time += 1) await run(sql, [time]);
    const [kept] = (await db.query<{ name: string }>('select name from pg_prepared_statements')).rows;
    const plan = async () => JSON.stringify((await db.query(`explain execute ${kept?.name}(1)`)).rows);
    const empty = await plan();
    await db.exec("insert into note select n, repeat('x', 200) from generate_series(10, 20000) n");
    now += MINUTE - 1;
    await run(sql, [1]);
    const before = await plan();
    now += 1;
    await run(sql, [1]);
    expect({ before, isSame: (await plan()) === before }).toEqual({ before: empty, isSame: false });
  });
});
