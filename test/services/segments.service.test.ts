import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimJob } from '../../src/db/claim-job.ts';
import type { Database, Queryable } from '../../src/db/database.ts';
import { writeLeafPostings } from '../../src/db/postings.ts';
import { mergeFiles, selectLooseFiles } from '../../src/db/segment-merge.ts';
import { selectSegmentPostings } from '../../src/db/segments.ts';
import { rankByWords } from '../../src/retrieval/lexical.ts';
import { retrievalTuningSchema } from '../../src/retrieval/tuning.ts';
import type { Scope } from '../../src/scope.ts';
import { createSegmentsHandler, enqueueSegments, keepSegments } from '../../src/services/segments.ts';
import { buildPostings } from '../../src/text/postings.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { storeProject } from '../helpers/rows/project.ts';
import { sectionedDocument } from '../helpers/sectioned-document.ts';
import { storeDocument } from '../helpers/stored-document.ts';

const POLICY = { fromLeaves: 30, leastLeaves: 10, leastFiles: 1_000, mostLeaves: 40, mostSmall: 3 };
const { lexical: tuning } = retrievalTuningSchema.parse({ lexical: { large: { fromLeaves: 1 } } });
const NO_FILTERS = { filenames: [], headerPath: [], mediaTypes: [] };

let db: Database;
let scope: Scope;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());
let projects = 0;
beforeEach(async () => {
  await db.query('delete from projects');
  // what a project comes to is remembered by its id
  scope = await storeProject(db, `p${projects++}`);
});

/** A file whose leaves each have a word of their own and, all, the file's. */
const store = (name: string, leaves: number, word = name.replace(/\W/g, '')): Promise<void> => {
  const texts = Array.from({ length: leaves }, (_, n) => `Budget ${word} item${n}.`);
  const document = sectionedDocument(name, [{ path: ['Costs'], leaves: texts }]);
  return db.transaction((tx) => storeDocument(tx, scope, document, () => undefined));
};

const segments = async () =>
  (
    await db.query<{ files: string[]; leaves: number }>(
      'select file_ids as files, leaves from posting_segments order by leaves, file_ids',
    )
  ).rows;

/** Indexes a file again, with leaves of these words. */
const indexAgain = (name: string, words: readonly string[]): Promise<void> =>
  db.transaction((tx) => {
    const leaves = words.map((text, leafIndex) => ({ leafIndex, text, breadcrumb: '' }));
    return writeLeafPostings(tx, scope, name, buildPostings(leaves));
  });

/** Files and leaves that have a word, by the whole ranking. */
async function found(text: string, on: Queryable = db): Promise<string[]> {
  const { hits } = await rankByWords(on, scope, { text, limit: 50, filters: NO_FILTERS }, tuning);
  return hits.map(({ fileId, leafIndex }) => `${fileId} ${leafIndex}`).sort();
}
const all = (name: string, leaves: number) => Array.from({ length: leaves }, (_, n) => `${name} ${n}`).sort();

describe('segments of postings', () => {
  it('are made of files that are in none, as soon as there is enough of them', async () => {
    await store('a.md', 9);
    expect(await keepSegments(db, scope, POLICY)).toBe(false);
    await store('b.md', 3);
    expect(await keepSegments(db, scope, POLICY)).toBe(true);
    expect(await segments()).toEqual([{ files: ['a.md', 'b.md'], leaves: 12 }]);
    expect(await keepSegments(db, scope, POLICY)).toBe(false);
    const { counts } = await selectSegmentPostings(db, scope, ['budget', 'bmd'], 1_000);
    expect(Object.fromEntries(counts)).toEqual({
      budget: { leaves: 12, files: 2 },
      bmd: { leaves: 3, files: 1 },
    });
    expect(await found('bmd')).toEqual(all('b.md', 3));
  });

  it('are merged when several are small, up to the size of one', async () => {
    for (const [name, leaves] of [
      ['a.md', 15],
      ['b.md', 16],
      ['c.md', 17],
    ] as const) {
      await store(name, leaves);
      expect(await keepSegments(db, scope, POLICY)).toBe(true);
    }
    expect(await keepSegments(db, scope, POLICY)).toBe(true);
    expect((await segments()).map(({ files }) => files)).toEqual([['c.md'], ['a.md', 'b.md']]);
    expect(await keepSegments(db, scope, POLICY)).toBe(false);
    for (const [name, leaves] of [
      ['a.md', 15],
      ['b.md', 16],
      ['c.md', 17],
    ] as const) {
      expect(await found(name.replace('.', ''))).toEqual(all(name, leaves));
    }
  });

  it('do not count for a file that was indexed again or deleted, and go when little else is left', async () => {
    await store('a.md', 15);
    await store('b.md', 15);
    await store('c.md', 9);
    await keepSegments(db, scope, POLICY);
    await indexAgain('a.md', ['other words', 'nothing']);
    await db.query('delete from files where project_id = $1 and file_id = $2', [scope.projectId, 'b.md']);
    expect(await found('amd')).toEqual([]);
    expect(await found('bmd')).toEqual([]);
    expect(await found('other')).toEqual(['a.md 0']);
    expect(await found('cmd')).toEqual(all('c.md', 9));
    while (await keepSegments(db, scope, POLICY));
    expect((await segments()).flatMap(({ files }) => files).sort()).toEqual(['a.md', 'c.md']);
    expect(await found('other')).toEqual(['a.md 0']);
  });

  it.each([
    [
      'deleted',
      () => db.query('delete from files where project_id = $1 and file_id = $2', [scope.projectId, 'big.md']),
    ],
    ['indexed again', () => indexAgain('big.md', ['other words', 'nothing'])],
    [
      'replaced by a release that knows of no segments',
      () =>
        db.query("update files set searchable_version = 2 where project_id = $1 and file_id = 'big.md'", [
          scope.projectId,
        ]),
    ],
  ] as const)('let nothing stand in the place of others whose file was %s', async (_, change) => {
    // more leaves with the word than files are looked for by
    await store('big.md', 30, 'zephyr zephyr zephyr');
    await store('small.md', 3, 'zephyr');
    await keepSegments(db, scope, POLICY);
    const few = { ...tuning, large: { ...tuning.large, likelyLeaves: 5, likelyWithoutSegments: 5 } };
    const ofSmall = async () => {
      const { hits } = await rankByWords(db, scope, { text: 'zephyr', limit: 5, filters: NO_FILTERS }, few);
      return hits.filter(({ fileId }) => fileId === 'small.md').length;
    };
    expect(await ofSmall()).toBe(0);
    await change();
    const isStill = (await db.query("select from files where file_id = 'big.md' and searchable_version = 2"))
      .rowCount;
    if (isStill) {
      await db.query("delete from leaf_postings where project_id = $1 and file_id = 'big.md'", [
        scope.projectId,
      ]);
    }
    expect(await ofSmall()).toBe(3);
    while (await keepSegments(db, scope, POLICY));
    expect(await ofSmall()).toBe(3);
  });

  it('are made of many short files as well, before these are too many to be read beside them', async () => {
    const policy = { ...POLICY, leastFiles: 4 };
    for (const name of ['a.md', 'b.md', 'c.md']) await store(name, 1);
    expect(await keepSegments(db, scope, policy)).toBe(false);
    await store('d.md', 1);
    expect(await keepSegments(db, scope, policy)).toBe(true);
    expect((await segments()).map(({ leaves }) => leaves)).toEqual([4]);
  });

  it('leave a file outside that is indexed again while they are made', async () => {
    await store('a.md', 15);
    await store('b.md', 15);
    const taken = await selectLooseFiles(db, scope, { mostLeaves: 40, mostOfFile: 40 });
    await indexAgain('a.md', ['other words']);
    await db.transaction((tx) => mergeFiles(tx, scope, taken, []));
    expect(
      (await selectLooseFiles(db, scope, { mostLeaves: 40, mostOfFile: 40 })).map((f) => f.fileId),
    ).toEqual(['a.md']);
    expect(await found('amd')).toEqual([]);
    expect(await found('other')).toEqual(['a.md 0']);
    expect(await found('bmd')).toEqual(all('b.md', 15));
  });

  it('are read as one moment, whatever changes between two statements of a search', async () => {
    await store('a.md', 15);
    await store('b.md', 15);
    const taken = await selectLooseFiles(db, scope, { mostLeaves: 40, mostOfFile: 40 });
    await db.transaction((tx) => mergeFiles(tx, scope, taken, []));
    // the file was outside, and is not any more, or in another segment by now
    await db.transaction((tx) => mergeFiles(tx, scope, taken, []));
    expect(await found('amd')).toEqual(all('a.md', 15));
    // indexed again after the list of files outside was read
    await indexAgain('a.md', ['other words', 'amd']);
    const [segment] = (await db.query<{ id: string }>('select segment_id::text as id from posting_segments'))
      .rows;
    await db.query('update files set segment_id = $2 where project_id = $1', [scope.projectId, segment?.id]);
    expect(await found('amd')).toEqual(['a.md 1']);
    // a segment was replaced after its postings were read
    const without: Queryable = {
      query: (sql, params) =>
        sql.includes('from posting_segments')
          ? Promise.resolve({ rows: [], rowCount: 0 })
          : db.query(sql, params),
    };
    await store('c.md', 15);
    await keepSegments(db, scope, POLICY);
    expect(await found('cmd', without)).toEqual(all('c.md', 15));
  });

  it('are kept by a job for each large project on a server', async () => {
    await store('a.md', 15);
    await store('b.md', 20);
    const small = await storeProject(db, `small${projects}`);
    await enqueueSegments(db, POLICY);
    const jobs = () => db.query('select project_id, kind, stands_back from jobs');
    expect((await jobs()).rows).toEqual(
      db.kind === 'server' ? [{ project_id: scope.projectId, kind: 'merge_postings', stands_back: 60 }] : [],
    );
    await enqueueSegments({ ...db, kind: 'server' }, POLICY);
    expect((await jobs()).rows).toEqual([
      { project_id: scope.projectId, kind: 'merge_postings', stands_back: 60 },
    ]);
    const job = await claimJob(db, 'worker', { leaseSeconds: 60 });
    expect(job).toMatchObject({ kind: 'merge_postings' });
    expect(small.projectId).not.toBe(scope.projectId);
    if (job) await createSegmentsHandler(db, POLICY).run(job, new AbortController().signal);
    expect(await segments()).toEqual([{ files: ['a.md', 'b.md'], leaves: 35 }]);
    await db.query('delete from projects where project_id = $1', [scope.projectId]);
    expect(await segments()).toEqual([]);
  });
});
