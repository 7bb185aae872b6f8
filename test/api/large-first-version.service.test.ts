import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { gate } from '../helpers/gate.ts';

const PATIENT = { interval: 20 };
const ASYNC = { prefer: 'respond-async' };
/** More than are stored in two transactions. */
const SECTIONS = 2_300;
const large = Array.from({ length: SECTIONS }, (_, at) => `# Quay ${at}\n\nThe ferry sails at ${at}.`).join(
  '\n\n',
);
const cut = `?chunking=${encodeURIComponent('{"strategy":"hierarchical","leaf_min_tokens":1}')}`;

/** A database that stands still, between two transactions, once some sections of a file have been stored. */
function pausing(db: Database) {
  let pause: { reached: () => void; go: Promise<void> } | undefined;
  const paused: Database = {
    ...db,
    transaction: async (work, options) => {
      let stores = false;
      const result = await db.transaction((tx) => {
        const query: typeof tx.query = (sql, params) => {
          stores ||= sql.includes('insert into document_leaves');
          return tx.query(sql, params);
        };
        return work({ ...tx, query });
      }, options);
      if (stores && pause) {
        const { reached, go } = pause;
        pause = undefined;
        reached();
        await go;
      }
      return result;
    },
  };
  return {
    db: paused,
    /** Settles when it stands still; `open` lets it go on. */
    next() {
      const [reached, go] = [gate(), gate()];
      pause = { reached: reached.open, go: go.opened };
      return { reached: reached.opened, open: go.open };
    },
  };
}

let forge: TestApp;
let database: ReturnType<typeof pausing>;
beforeAll(async () => {
  database = pausing(await openTestDatabase());
  forge = await startTestApp({ overrides: { db: database.db } });
});
afterAll(() => forge.close());

const file = async (project: string, name: string) =>
  (await forge.call('GET', `/projects/${project}/files/${name}`)).body;
const leaves = async (project: string, name: string) =>
  (await forge.call('GET', `/projects/${project}/files/${name}/leaves?limit=5`)).body.data;
const search = async (project: string, mode: string) => {
  const query = { query: 'The ferry sails at', mode, min_score: 0 };
  const { body } = await forge.call('POST', `/projects/${project}/search`, query);
  return body.data.map(({ filename }: { filename: string }) => filename);
};
const rows = async (project: string) =>
  (
    await forge.db.query<{ leaves: number }>(
      'select count(*)::int as leaves from document_leaves where project_id = $1',
      [project],
    )
  ).rows[0]?.leaves;

it('nothing of a large file is seen before all of it is stored, and it takes no place of what can be found', async () => {
  await forge.call('POST', '/projects', { id: 'seen', name: 'Seen' });
  await forge.upload('seen', { 'small.md': '# Timetable\n\nBoats leave in the morning.' });
  const pause = database.next();
  await forge.upload('seen', { 'large.md': large }, ASYNC, cut);
  await pause.reached;
  expect(await rows('seen')).toBeGreaterThan(100);
  for (const mode of ['semantic', 'hybrid', 'lexical']) {
    const found = await search('seen', mode);
    expect(found.filter((name: string) => name !== 'small.md')).toEqual([]);
    if (mode !== 'lexical') expect(found).toEqual(['small.md']);
  }
  expect(await leaves('seen', 'large.md')).toEqual([]);
  expect(await file('seen', 'large.md')).toMatchObject({ stage: 'storing', searchable_version: null });
  pause.open();
  await expect.poll(async () => (await file('seen', 'large.md')).status, PATIENT).toBe('completed');
  expect(await file('seen', 'large.md')).toMatchObject({ chunk_count: SECTIONS, searchable_version: 1 });
  expect(await leaves('seen', 'large.md')).toHaveLength(5);
  expect((await search('seen', 'semantic'))[0]).toBe('large.md');
});

it('what was stored of a run that was broken off does not mix with that of the next', async () => {
  await forge.call('POST', '/projects', { id: 'mixed', name: 'Mixed' });
  const pause = database.next();
  await forge.upload('mixed', { 'large.md': large }, ASYNC, cut);
  await pause.reached;
  await forge.call('POST', '/projects/mixed/files/large.md/cancel');
  pause.open();
  // the name is a part of each section, and of its id
  await forge.call('PATCH', '/projects/mixed/files/large.md', { name: 'renamed.md' });
  const stored = await rows('mixed');
  expect(stored).toBeGreaterThan(100);
  expect(stored).toBeLessThan(SECTIONS);
  expect((await forge.call('POST', '/projects/mixed/files/renamed.md/retry')).status).toBe(202);
  await expect.poll(async () => (await file('mixed', 'renamed.md')).status, PATIENT).toBe('completed');
  expect(await rows('mixed')).toBe(SECTIONS);
  expect((await leaves('mixed', 'renamed.md'))[0].context_header).toContain('renamed.md');
});
