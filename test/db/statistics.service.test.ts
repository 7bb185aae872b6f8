import { expect, it } from 'vitest';
import { refreshStatistics } from '../../src/db/statistics.ts';
import { clusterServers } from '../helpers/cluster.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { storeLeafVectors } from '../helpers/rows/leaf-vectors.ts';
import { storeProject } from '../helpers/rows/project.ts';

/** Of a table that is whole on one server, and of one that is in parts on the nodes of a cluster. */
const PAGES = clusterServers()
  ? `select sum(result::int)::int as pages from run_command_on_shards('leaf_vectors',
       $$select relpages from pg_class where oid = '%s'::regclass$$)`
  : "select relpages as pages from pg_class where relname = 'leaf_vectors'";

it('lets the planner know of a table that has grown, and leaves one alone that has not', async () => {
  const db = await openTestDatabase();
  const pages = async () => (await db.query<{ pages: number }>(PAGES)).rows[0]?.pages;
  const scope = await storeProject(db, 'p');
  const vector = Float32Array.of(1, 2);
  // vectors alone, without files and leaves
  await db.query(
    'alter table leaf_vectors drop constraint leaf_vectors_workspace_id_project_id_leaf_id_fkey',
  );
  const thousand = Array.from({ length: 1_000 }, (_, n) => ({ leafId: `leaf-${n}`, vector }));
  await storeLeafVectors(db, scope, 'file', thousand);
  expect(await pages()).toBe(0);
  await refreshStatistics(db);
  const first = await pages();
  expect(first).toBeGreaterThan(5);
  await storeLeafVectors(db, scope, 'file', [{ leafId: 'one more', vector }]);
  await refreshStatistics(db);
  expect(await pages()).toBe(first);
  await db.close();
});
