import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { selectUsage } from '../../src/db/usage.ts';
import type { QuerySpent } from '../../src/retrieval/query-spending.ts';
import { createQueryUsage } from '../../src/services/query-usage.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { storeProject } from '../helpers/rows/project.ts';

let db: Database;
const embedded = (tokens: number): QuerySpent => ({
  ...{ phase: 'embed_queries', model: 'm', provider: 'voyage' },
  tokens,
  calls: 1,
});
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

it('adds calls up by project, and writes them once', async () => {
  const [one, two] = [await storeProject(db, 'one'), await storeProject(db, 'two')];
  const usage = createQueryUsage({ db, log: { warn: () => undefined } });
  usage.add(one, embedded(5));
  usage.add(two, embedded(7));
  usage.add(one, embedded(2));
  usage.add({ ...one, projectId: 'gone' }, embedded(9));
  await Promise.all([usage.flush(), usage.flush()]);
  const booked = async (scope: typeof one) => (await selectUsage(db, scope, null))[0];
  expect(await booked(one)).toMatchObject({ phase: 'embed_queries', model: 'm', calls: 2, input_tokens: 7 });
  expect(await booked(two)).toMatchObject({ calls: 1, input_tokens: 7 });
});

it('fails nobody when it cannot write, and catches up', async () => {
  const scope = await storeProject(db, 'later');
  const logged: string[] = [];
  let isDown = true;
  const failing: Database = {
    ...db,
    query: (...args: Parameters<Database['query']>) =>
      isDown ? Promise.reject(new Error('down')) : db.query(...args),
  } as Database;
  const log = { warn: (_: object, message: string) => void logged.push(message) };
  const usage = createQueryUsage({ db: failing, log });
  usage.add(scope, embedded(3));
  await usage.flush();
  expect(logged).toEqual(['the usage of queries could not be written']);
  isDown = false;
  usage.add(scope, embedded(4));
  await usage.flush();
  expect((await selectUsage(db, scope, null))[0]).toMatchObject({ calls: 2, input_tokens: 7 });
});
