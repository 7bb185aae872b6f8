import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { claimJob } from '../../src/db/jobs.ts';
import type { Scope } from '../../src/scope.ts';
import { createIndexingHandler, enqueueIndexing, indexWords } from '../../src/services/lexical-index.ts';
import { reindex } from '../../src/services/reindex.ts';
import { LEXICAL_BUILD } from '../../src/text/postings.ts';
import { fakeEmbeddingModel } from '../fakes/embedding-model.ts';
import { startTestApp } from '../helpers/app.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { storeProject } from '../helpers/rows/project.ts';
import { storeTurn } from '../helpers/rows/turn.ts';
import { sectionedDocument } from '../helpers/sectioned-document.ts';
import { storeDocument } from '../helpers/stored-document.ts';
import { storeIndexedTurn } from '../helpers/stored-turn.ts';

const model = fakeEmbeddingModel();
const TURN = { turnNumber: 1, message: 'Who signs the contract?', response: 'The director of purchasing.' };

let db: Database;
let scope: Scope;
beforeAll(async () => {
  db = await openTestDatabase();
}, 60_000);
afterAll(() => db.close());
beforeEach(async () => {
  await db.query('delete from projects');
  scope = await storeProject(db, 'p');
  const leaves = Array.from({ length: 120 }, (_, n) => `Risk number ${n}: budgets shrink.`);
  const document = sectionedDocument('plan.md', [{ path: ['Risks'], leaves }]);
  await storeDocument(db, scope, document, (leaf) => model.vectorOf(leaf.text));
  await storeIndexedTurn(db, scope, TURN);
});

const postings = async () => ({
  leaves: (await db.query('select term, leaf_count, packed from leaf_postings order by term', [])).rows,
  turns: (await db.query('select term, frequency from turn_postings order by term', [])).rows,
  lengths: (
    await db.query('select lexical_length::int from files union all select lexical_length from turns', [])
  ).rows,
});

/** As if another build had indexed everything, and had found other terms. */
async function indexOtherwise(build: number): Promise<void> {
  await db.query(`update leaf_postings set term = 'x' || term`);
  await db.query(`update turn_postings set term = 'x' || term`);
  for (const table of ['files', 'turns']) {
    await db.query(`update ${table} set lexical_build = $1, lexical_length = 1`, [build]);
  }
}

const jobKinds = async () => (await db.query('select kind, stands_back from jobs', [])).rows;

describe('what another build has indexed', () => {
  it('is indexed again when the service starts, and found', async () => {
    const before = await postings();
    await indexOtherwise(LEXICAL_BUILD - 1);
    const forge = await startTestApp({ overrides: { db: { ...db, close: async () => undefined } } });
    const found = async (kind: string, query: string) =>
      (await forge.call('POST', '/projects/p/search', { query, kinds: [kind], mode: 'lexical' })).body.data
        .length;
    await expect.poll(postings, { timeout: 20_000 }).toEqual(before);
    expect(await found('documents', 'shrinking budget')).toBe(1);
    expect(await found('turns', 'purchasing')).toBe(1);
    await forge.close();
  });

  it('is indexed again by reindex', async () => {
    const before = await postings();
    await indexOtherwise(LEXICAL_BUILD + 1);
    expect(await reindex(db, model, { progress: () => undefined, waiting: () => undefined })).toMatchObject({
      indexed: 2,
    });
    expect(await postings()).toEqual(before);
    expect(await indexWords(db)).toBe(0);
  });

  it('has one job a project, behind what people wait for', async () => {
    await indexOtherwise(LEXICAL_BUILD - 1);
    await enqueueIndexing(db, 'older');
    await enqueueIndexing(db, 'other');
    expect(await jobKinds()).toEqual([{ kind: 'index_words', stands_back: 60 }]);
  });

  it('is left alone in the long run when it is of a newer build', async () => {
    await indexOtherwise(LEXICAL_BUILD + 1);
    await enqueueIndexing(db, 'older');
    expect(await jobKinds()).toEqual([]);
  });

  it('keeps the postings of a version that takes its place meanwhile', async () => {
    await indexOtherwise(LEXICAL_BUILD - 1);
    const swapped: Database = {
      ...db,
      async transaction(work) {
        await db.query('update files set searchable_version = 2, lexical_build = $1', [LEXICAL_BUILD]);
        return db.transaction(work);
      },
    };
    const before = await postings();
    expect(await indexWords(swapped)).toBe(2);
    expect((await postings()).leaves).toEqual(before.leaves);
  });

  it('is indexed once more when the file is renamed meanwhile', async () => {
    await indexOtherwise(LEXICAL_BUILD - 1);
    let isRenamed = false;
    const renaming: Database = {
      ...db,
      async transaction(work) {
        if (!isRenamed) {
          isRenamed = true;
          await db.query(`update files set name = 'kangaroo.md'`);
          await db.query(`update document_leaves set breadcrumb = '[Source: kangaroo.md > Risks]'`);
        }
        return db.transaction(work);
      },
    };
    await indexWords(renaming);
    const { rows } = await db.query(
      `select term from leaf_postings where term in ('kangaroo', 'plan', 'xplan') order by term`,
      [],
    );
    expect(rows).toEqual([{ term: 'kangaroo' }]);
  });
});

it('does a part of a large project a job, and adds another for the rest', async () => {
  for (let turnNumber = 2; turnNumber <= 60; turnNumber++) {
    await storeTurn(db, scope, { turnNumber, message: `message ${turnNumber}`, lexicalLength: 1 });
  }
  await indexOtherwise(LEXICAL_BUILD - 1);
  await enqueueIndexing(db, 'other');
  const handler = createIndexingHandler(db);
  const runNext = async () => {
    await db.query(`update jobs set run_at = now() - interval '1 hour'`);
    const job = await claimJob(db, 'a', { leaseSeconds: 60 });
    if (!job) throw new Error('no job');
    await db.query('delete from jobs where job_id = $1', [job.jobId]);
    await handler.run(job, AbortSignal.timeout(60_000));
  };
  await runNext();
  expect(await jobKinds()).toHaveLength(1);
  await runNext();
  expect(await jobKinds()).toHaveLength(0);
  expect(await indexWords(db)).toBe(0);
});
