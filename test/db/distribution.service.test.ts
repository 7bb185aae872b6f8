import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forSystem } from '../../src/db/bound-database.ts';
import type { Database } from '../../src/db/database.ts';
import { distribute } from '../../src/db/distribution/distribute.ts';
import { isOnCluster } from '../../src/db/distribution/nodes.ts';
import { perProject } from '../../src/db/distribution/per-project.ts';
import { textApplier } from '../../src/db/migrate.ts';
import { clusterServers } from '../helpers/cluster.ts';
import { openTestDatabase } from '../helpers/database.ts';

let db: Database;
beforeAll(async () => {
  db = forSystem(await openTestDatabase());
});
afterAll(() => db.close());

describe.skipIf(clusterServers())('a Postgres without Citus', () => {
  it('is not distributed, and says what it lacks', async () => {
    expect(await isOnCluster(db)).toBe(false);
    for (const isDry of [true, false]) {
      await expect(distribute(db, { isDry })).rejects.toThrow('this Postgres has no Citus');
    }
  });

  it('is asked about all projects at once', async () => {
    const items = ['a', 'b', 'a'].map((projectId) => ({ workspaceId: 'default', projectId }));
    const asked: number[] = [];
    await perProject(
      db,
      items,
      (item) => item,
      async (some) => {
        asked.push(some.length);
        return [];
      },
    );
    expect(asked).toEqual([3]);
  });
});

describe.skipIf(!clusterServers())('a cluster (TEST_CITUS_URLS)', () => {
  it('is distributed once: done again, nothing changes', async () => {
    expect(await isOnCluster(db)).toBe(true);
    const { statements, tables } = await distribute(db);
    expect(statements).toEqual([]);
    expect(tables.filter(({ placement }) => placement === 'distributed').length).toBeGreaterThan(15);
  });

  it('has projects on several nodes, each with its keys and triggers', async () => {
    for (let number = 0; number < 8; number += 1) {
      await db.query(
        `insert into projects (workspace_id, project_id, name, state) values ('default', $1, 'P', '{}')`,
        [`p${number}`],
      );
    }
    const { rows: nodes } = await db.query(
      `select nodeport from pg_dist_shard_placement where shardid in (
         select get_shard_id_for_distribution_column('projects', 'p' || n) from generate_series(0, 7) n) group by 1`,
    );
    expect(nodes.length).toBeGreaterThan(1);
    const { rows: told } = await db.query<{ type: string }>('select type from project_events');
    expect(told.map(({ type }) => type)).toEqual(Array(8).fill('project.created'));
    await db.query(`delete from projects where workspace_id = 'default'`);
    expect((await db.query('select 1 from project_events')).rowCount).toBe(0);
  });

  it('takes migrations that change tables, and what they add to them', async () => {
    await db.transaction(async (tx) => {
      const apply = await textApplier(tx);
      await apply(`alter table files add column made_later text not null default 'x';
        create index files_made_later on files (workspace_id, project_id, made_later)`);
    });
    await db.query(
      `insert into projects (workspace_id, project_id, name, state) values ('default', 'q', 'Q', '{}')`,
    );
    await db.query(
      `insert into files (workspace_id, project_id, file_id, name, media_type, status, version)
       values ('default', 'q', 'f', 'f', 'text/plain', 'queued', 1)`,
    );
    const { rows } = await db.query<{ made_later: string }>(
      `select made_later from files where workspace_id = 'default' and project_id = 'q'`,
    );
    expect(rows).toEqual([{ made_later: 'x' }]);
  });

  it('answers about many projects one by one, in the places that they had', async () => {
    const items = ['a', 'b', 'a'].map((projectId) => ({ workspaceId: 'default', projectId }));
    const places = await perProject(
      db,
      items,
      (item) => item,
      async (some, placeOf) => some.map((_, place) => placeOf(place)),
    );
    expect(places.sort()).toEqual([0, 1, 2]);
  });
});
