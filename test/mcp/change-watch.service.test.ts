import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { createChangeWatch } from '../../src/mcp/change-watch.ts';
import type { McpConnection } from '../../src/mcp/connection.ts';
import { createInterest } from '../../src/mcp/interest.ts';
import { OPEN_PRINCIPAL } from '../../src/scope.ts';
import { createResourceStamps } from '../../src/services/resource-stamps.ts';
import type { Services } from '../../src/services/services.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { storeProject } from '../helpers/rows/project.ts';

const log = { debug: () => undefined, error: () => undefined };

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

it('looks for all who listen with one statement for what they subscribe to and one for their lists', async () => {
  const scope = await storeProject(db, 'watched');
  const other = await storeProject(db, 'other');
  const looks: number[] = [];
  const counting: Database = {
    ...db,
    query(sql, params) {
      if (sql.includes('concat_ws')) looks.push([params?.[0]].flat().length);
      return db.query(sql, params);
    },
  };
  const stamps = createResourceStamps({ db: counting });
  const watch = createChangeWatch({ stamps, log, everyMs: 5 });
  const told: string[] = [];
  const ends: (() => void)[] = [];
  for (let number = 0; number < 100; number += 1) {
    const interest = createInterest({
      services: { resourceStamps: stamps } as Services,
      version: '1',
      log,
      principal: OPEN_PRINCIPAL,
      project: null,
    } satisfies McpConnection);
    await interest.wantList();
    for (const { projectId } of [scope, other]) {
      const artifact = 'problem_brief' as const;
      await interest.subscribe(projectId, { kind: 'artifact', scope: { ...scope, projectId }, artifact });
    }
    const fails = number === 0;
    ends.push(
      watch.listen(interest, {
        async updated(uri) {
          if (fails) throw new Error('gone');
          told.push(`${number} ${uri}`);
        },
        listChanged: async () => void told.push(`${number} list`),
      }),
    );
  }
  looks.length = 0;
  await expect.poll(() => looks.length).toBeGreaterThan(3);
  // each project once, and the one list
  expect(new Set(looks)).toEqual(new Set([2, 1]));
  expect(told).toEqual([]);
  await db.query('update projects set state_version = state_version + 1 where project_id = $1', ['watched']);
  await expect.poll(() => told.length).toBe(99);
  await storeProject(db, 'third');
  await expect.poll(() => told.filter((entry) => entry.endsWith('list')).length).toBe(100);
  expect(told.slice(0, 2)).toEqual(['1 watched', '2 watched']);
  for (const end of ends) end();
});
