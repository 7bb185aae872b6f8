import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { prolongLeases } from '../../src/db/turns.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { storeProject } from '../helpers/rows/project.ts';
import { heldFor, storeTurn } from '../helpers/rows/turn.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

/** When the lease of each running turn runs out, by project. */
async function ends(): Promise<Map<string, number>> {
  const { rows } = await db.query<{ project_id: string; locked_until: Date }>(
    `select project_id, locked_until from turns where status = 'in_progress' order by project_id`,
  );
  return new Map(rows.map((row) => [row.project_id, row.locked_until.getTime()]));
}

it('prolongs the leases that have run low, leaves the others alone, and tells which are lost', async () => {
  const held = async (name: string, secondsLeft: number) => {
    const scope = await storeProject(db, name);
    await storeTurn(db, scope, heldFor(secondsLeft));
    return { scope, turnNumber: 1, attempt: 1, holder: 'another', seconds: 3_600 };
  };
  const low = await held('low', 600);
  const full = await held('full', 3_000);
  const late = await held('late', -5);
  const retried = { ...(await held('retried', 600)), attempt: 2 };
  const foreign = { ...(await held('foreign', 600)), holder: 'me' };
  const ended = await held('ended', 600);
  await db.query(`update turns set status = 'cancelled' where project_id = $1`, [ended.scope.projectId]);
  const removed = await held('removed', 600);
  await db.query('delete from turns where project_id = $1', [removed.scope.projectId]);

  const before = await ends();
  const lost = await prolongLeases(db, [low, ended, full, foreign, late, retried, removed], 2 / 3);
  expect(lost).toHaveLength(4);
  expect(lost).toEqual(expect.arrayContaining([ended, foreign, retried, removed]));
  const after = await ends();
  expect([...after.keys()].filter((name) => after.get(name) !== before.get(name))).toEqual(['late', 'low']);
});
