import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantServiceRole } from '../../src/db/service-role.ts';
import { asSystem, inWorkspace } from '../../src/workspace-context.ts';
import { type ConfinedDatabase, openConfinedDatabase } from '../helpers/confined-database.ts';
import { openTestDatabase } from '../helpers/database.ts';

/** The embedded database has no role but its owner's. */
const isServer = Boolean(process.env.TEST_DATABASE_URL);

it('is on for every table that has a workspace', async () => {
  const db = await openTestDatabase();
  try {
    const { rows } = await db.query<{ name: string; policy: string | null }>(
      `select c.relname as name, p.polname as policy
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
         left join pg_policy p on p.polrelid = c.oid and p.polcmd = '*' and p.polpermissive and p.polroles = '{0}'
           and c.relrowsecurity and pg_get_expr(p.polqual, p.polrelid) like '%workspace_id = %current_setting(%'
       where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace order by 1`,
    );
    expect(rows.length).toBeGreaterThan(15);
    // a migration that adds a table ends with the two statements of 0021_row_level_security.sql for it
    expect(rows.filter(({ policy }) => policy !== 'of_workspace')).toEqual([]);
  } finally {
    await db.close();
  }
});

describe.skipIf(!isServer)('a role that does not own the tables (on a server only)', () => {
  let stores: ConfinedDatabase;
  beforeAll(async () => {
    stores = await openConfinedDatabase();
    await stores.owner.query(
      `insert into workspaces (workspace_id, name) values ('acme', 'Acme'), ('o''neill', 'O''Neill')`,
    );
    for (const workspace of ['default', 'acme', "o'neill"])
      await stores.owner.query(
        `insert into projects (workspace_id, project_id, name, state) values ($1, 'p', $1, '{}')`,
        [workspace],
      );
  });
  afterAll(() => stores.owner.close());

  // as if the condition had been forgotten
  const everything = async () =>
    (await stores.confined.query<{ name: string }>('select name from projects order by name', [])).rows.map(
      ({ name }) => name,
    );

  it.each(['acme', "o'neill"])('reads the rows of %s alone', async (workspace) => {
    expect(await inWorkspace(workspace, everything)).toEqual([workspace]);
    const inTransaction = await inWorkspace(workspace, () =>
      stores.confined.transaction(async (tx) => (await tx.query('select workspace_id from projects')).rows),
    );
    expect(inTransaction).toEqual([{ workspace_id: workspace }]);
  });

  it('reads all of them for the service itself', async () => {
    expect(await asSystem(everything)).toEqual(['acme', 'default', "o'neill"]);
  });

  it('keeps what is asked for at once apart', async () => {
    const asked = Array.from({ length: 40 }, (_, index) => ['acme', 'default', "o'neill"][index % 3] ?? '');
    const answers = await Promise.all(asked.map((workspace) => inWorkspace(workspace, everything)));
    expect(answers).toEqual(asked.map((workspace) => [workspace]));
  });

  it('is refused where nobody says for which workspace, and reads nothing of a connection of its own', async () => {
    await expect(everything()).rejects.toThrow('for no workspace');
    await expect(stores.confined.transaction(async () => undefined)).rejects.toThrow('for no workspace');
    expect(await inWorkspace('', everything)).toEqual([]);
  });

  it.each([
    [
      'adding',
      `insert into projects (workspace_id, project_id, name, state) values ('default', 'q', 'Q', '{}')`,
    ],
    ['moving', `update projects set workspace_id = 'default'`],
  ])('writes nothing into another workspace: %s', async (_, sql) => {
    const written = inWorkspace('acme', () => stores.confined.query(sql, []));
    await expect(written).rejects.toMatchObject({ code: '42501' });
  });

  it('changes and removes nothing of another workspace', async () => {
    const changed = await inWorkspace('acme', () =>
      stores.confined.query(`update projects set name = name`, []),
    );
    expect(changed.rowCount).toBe(1);
    const removed = await inWorkspace('acme', () =>
      stores.confined.query(`delete from projects where workspace_id = 'default'`, []),
    );
    expect(removed.rowCount).toBe(0);
  });

  it('goes on with the next statement after one that failed', async () => {
    const failing = inWorkspace('acme', () => stores.confined.query('select 1 / (select 0)', []));
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(await inWorkspace('acme', everything)).toEqual(['acme']);
  });

  it('may not change the schema, nor say that it was', async () => {
    for (const sql of [
      'create table mine (x int)',
      'alter table projects add x int',
      'delete from schema_migrations',
    ])
      await expect(asSystem(() => stores.confined.query(sql))).rejects.toMatchObject({ code: '42501' });
  });

  it('is not given to whom row-level security does not hold', async () => {
    await expect(grantServiceRole(stores.owner, 'postgres')).rejects.toThrow('does not hold postgres');
    await expect(grantServiceRole(stores.owner, 'x; drop')).rejects.toThrow('is no name');
  });
});
