import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textArrayLiteral } from '../../src/db/array-literal.ts';
import type { Database } from '../../src/db/database.ts';
import { migrate, newerMigrations } from '../../src/db/migrate.ts';
import { openEmptyDatabase, openTestDatabase } from '../helpers/database.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
  await db.query('create table counters (id int primary key, value int not null)');
  await db.query('insert into counters values (1, 0)');
});
afterAll(() => db.close());

describe('values', () => {
  it('arrive the same from both databases', async () => {
    const { rows } = await db.query(
      `select 9007199254740993::int8 as big, '\\x00ff'::bytea as bytes, '{"a":[1]}'::jsonb as json,
         array['a,"b"', null] as texts, 1.50::numeric as number, timestamptz '2026-01-02T03:04:05Z' as time,
         '[1,2.5]'::vector as vector, count(*) from counters`,
      [],
    );
    expect(rows[0]).toEqual({
      big: '9007199254740993',
      bytes: Buffer.from([0, 255]),
      json: { a: [1] },
      texts: ['a,"b"', null],
      number: '1.50',
      time: new Date('2026-01-02T03:04:05Z'),
      vector: '[1,2.5]',
      count: '1',
    });
    expect(Buffer.isBuffer(rows[0]?.bytes)).toBe(true);
  });

  it('go in as arrays, buffers, dates and array literals', async () => {
    const paths = [['Findings', 'a "quoted" \\ one'], []];
    const { rows } = await db.query(
      `select p::text[] as path, b, t from unnest($1::text[], $2::bytea[], $3::timestamptz[]) as v(p, b, t)`,
      [paths.map(textArrayLiteral), [Buffer.from('x'), Buffer.from('y')], [new Date(0), null]],
    );
    expect(rows).toEqual([
      { path: paths[0], b: Buffer.from('x'), t: new Date(0) },
      { path: [], b: Buffer.from('y'), t: null },
    ]);
  });
});

describe('statements', () => {
  const keptBy = (database: Database): Promise<number> =>
    database.transaction(async (tx) => {
      const sql = 'select value + $1::int as kept_by_its_connection from counters where id = $2';
      for (const id of [1, 2, 3]) await tx.query(sql, [0, id]);
      const { rows } = await tx.query<{ kept: number }>(
        'select count(*)::int as kept from pg_prepared_statements where statement = $1',
        [sql],
      );
      return rows[0]?.kept ?? 0;
    });

  it('are kept by their connection, unless a pooler is in between', async () => {
    expect(await keptBy(db)).toBe(1);
    const apart = await openTestDatabase({ prepare: false });
    await apart.query('create table counters (id int primary key, value int not null)');
    // before the embedded database nothing can be
    expect(await keptBy(apart)).toBe(db.kind === 'server' ? 0 : 1);
    await apart.close();
  });

  it('survive a change of what they read', async () => {
    await db.query('create table changing (value int not null)');
    const read = async () => (await db.query('select value from changing where value > $1', [0])).rows;
    for (let i = 0; i < 8; i++) expect(await read()).toEqual([]);
    await db.query('alter table changing add column other text');
    await db.query('insert into changing values (1)');
    expect(await read()).toEqual([{ value: 1 }]);
  });
});

describe('failures', () => {
  it('keep their SQLSTATE and leave the connection usable', async () => {
    await expect(db.query('insert into counters values ($1, $2)', [1, 5])).rejects.toMatchObject({
      code: '23505',
      constraint: 'counters_pkey',
    });
    await expect(db.query('select * from nothing_of_this_name where x = $1', [1])).rejects.toMatchObject({
      code: '42P01',
    });
    expect((await db.query('select 1 as one', [])).rows).toEqual([{ one: 1 }]);
  });
});

describe('transactions', () => {
  it('roll back what a failing one did', async () => {
    const attempt = db.transaction(async (tx) => {
      await tx.query('insert into counters values (2, 0)', []);
      throw new Error('no');
    });
    await expect(attempt).rejects.toThrow('no');
    expect((await db.query('select 1 from counters where id = 2', [])).rowCount).toBe(0);
  });

  it('do not lose updates to each other', async () => {
    const add = () =>
      db.transaction(async (tx) => {
        const { rows } = await tx.query<{ value: number }>(
          'select value from counters where id = 1 for update',
          [],
        );
        await tx.query('update counters set value = $1 where id = 1', [(rows[0]?.value ?? 0) + 1]);
      });
    await Promise.all(Array.from({ length: 20 }, add));
    expect((await db.query('select value from counters where id = 1', [])).rows).toEqual([{ value: 20 }]);
  });

  it('refuse a statement that goes past the open transaction', async () => {
    const attempt = db.transaction(async () => {
      await db.query('select 1');
    });
    await expect(attempt).rejects.toThrow('past the open transaction');
  });
});

describe('migrate', () => {
  it('does nothing on a current schema, and instances do not race', async () => {
    expect(await Promise.all([migrate(db), migrate(db)])).toEqual([[], []]);
  });

  it('brings an empty database to the newest schema once, however many instances start together', async () => {
    const empty = await openEmptyDatabase();
    const applied = await Promise.all([migrate(empty), migrate(empty), migrate(empty), migrate(empty)]);
    expect(applied.filter((names) => names.length > 0)).toEqual([
      expect.arrayContaining(['0001_initial.sql']),
    ]);
    expect(await newerMigrations(empty)).toEqual([]);
    await empty.close();
  });

  it("goes on with a newer release's schema, unless that says it is breaking", async () => {
    const add = (name: string, breaking: boolean) =>
      db.query('insert into schema_migrations (name, sha256, breaking) values ($1, $2, $3)', [
        name,
        'of another release',
        breaking,
      ]);
    await add('9998_expand.sql', false);
    expect(await migrate(db)).toEqual([]);
    expect(await newerMigrations(db)).toEqual(['9998_expand.sql']);
    await add('9999_contract.sql', true);
    await expect(migrate(db)).rejects.toThrow('9999_contract.sql');
    await db.query("delete from schema_migrations where name like '999%'");
  });

  it('refuses a migration whose text was changed after it had been applied', async () => {
    await db.query("update schema_migrations set sha256 = 'other' where name = '0001_initial.sql'");
    await expect(migrate(db)).rejects.toThrow('0001_initial.sql was changed');
  });
});
