import { expect, it } from 'vitest';
import { refreshStatistics } from '../../src/db/statistics.ts';
import { openTestDatabase } from '../helpers/database.ts';

it('lets the planner know of a table that has grown, and leaves one alone that has not', async () => {
  const db = await openTestDatabase();
  const pages = async () =>
    (await db.query<{ relpages: number }>("select relpages from pg_class where relname = 'leaf_vectors'", []))
      .rows[0]?.relpages;
  await db.query(`
    insert into projects (workspace_id, project_id, name, state) values ('default', 'p', 'P', '{}');
    alter table leaf_vectors drop constraint leaf_vectors_workspace_id_project_id_leaf_id_fkey;
    insert into leaf_vectors select 'default', 'p', 'l' || n, '[1,2]', 'f' from generate_series(1, 1000) n`);
  expect(await pages()).toBe(0);
  await refreshStatistics(db);
  const first = await pages();
  expect(first).toBeGreaterThan(5);
  await db.query("insert into leaf_vectors values ('default', 'p', 'one more', '[1,2]', 'f')");
  await refreshStatistics(db);
  expect(await pages()).toBe(first);
  await db.close();
});
