import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimJob } from '../../src/db/claim-job.ts';
import type { Database } from '../../src/db/database.ts';
import { DatabaseError } from '../../src/errors.ts';
import type { JobHandler } from '../../src/jobs/run-job.ts';
import type { Scope } from '../../src/scope.ts';
import {
  createIndexingHandler,
  enqueueIndexing,
  indexWords,
  type OnUnindexed,
} from '../../src/services/lexical-index.ts';
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
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.query('delete from projects');
  scope = await storeProject(db, 'p');
  const leaves = Array.from({ length: 120 }, (_, n) => `Risk number ${n}: budgets shrink.`);
  const document = sectionedDocument('plan.md', [{ path: ['Risks'], leaves }]);
  await storeDocument(db, scope, document, (leaf) => model.vectorOf(leaf.text));
  await storeIndexedTurn(db, scope, TURN);
});

const failing: OnUnindexed = (_, error) => {
  throw error;
};

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
    await expect.poll(postings).toEqual(before);
    expect(await found('documents', 'shrinking budget')).toBe(1);
    expect(await found('turns', 'purchasing')).toBe(1);
    await forge.close();
  });

  it('is indexed again by reindex', async () => {
    const before = await postings();
    await indexOtherwise(LEXICAL_BUILD + 1);
    expect(
      await reindex(db, model, {
        progress: () => undefined,
        waiting: () => undefined,
        unindexed: () => undefined,
      }),
    ).toMatchObject({
      indexed: 2,
    });
    expect(await postings()).toEqual(before);
    expect(await indexWords(db, failing)).toBe(0);
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
    expect(await indexWords(swapped, failing)).toBe(2);
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
    await indexWords(renaming, failing);
    const { rows } = await db.query(
      `select term from leaf_postings where term in ('kangaroo', 'plan', 'xplan') order by term`,
      [],
    );
    expect(rows).toEqual([{ term: 'kangaroo' }]);
  });
});

/** Runs the next job, as the worker does. */
async function runNext(handler: JobHandler): Promise<void> {
  await db.query(`update jobs set run_at = now() - interval '1 hour'`);
  const job = await claimJob(db, 'a', { leaseSeconds: 60 });
  if (!job) throw new Error('no job');
  await handler.run(job, AbortSignal.timeout(60_000));
  await db.query('delete from jobs where job_id = $1', [job.jobId]);
}

/** Runs jobs until there are none: how many there were. */
async function runAll(handler: JobHandler, most: number): Promise<number> {
  let ran = 0;
  for (; ran < most && (await jobKinds()).length > 0; ran += 1) await runNext(handler);
  return ran;
}

it('does a part of a large project a job, and adds another for the rest', async () => {
  for (let turnNumber = 2; turnNumber <= 60; turnNumber++) {
    await storeTurn(db, scope, { turnNumber, message: `message ${turnNumber}`, lexicalLength: 1 });
  }
  await indexOtherwise(LEXICAL_BUILD - 1);
  await enqueueIndexing(db, 'other');
  const handler = createIndexingHandler(db, { warn: failing });
  await runNext(handler);
  expect(await jobKinds()).toHaveLength(1);
  await runNext(handler);
  expect(await jobKinds()).toHaveLength(0);
  expect(await indexWords(db, failing)).toBe(0);
});

describe('what cannot be indexed', () => {
  const wrongRow = new Error('index row size exceeds btree maximum');

  /** A database that does not take the postings of some file, or turn. */
  const refusing = (
    isRefused: (values: readonly unknown[]) => boolean,
    error: Error = wrongRow,
  ): Database => ({
    ...db,
    transaction: (work) =>
      db.transaction((tx) =>
        work({
          query: async (sql, values) => {
            if (/insert into (leaf|turn)_postings/.test(sql) && isRefused(values ?? [])) throw error;
            return tx.query(sql, values);
          },
        }),
      ),
  });

  const stale = async () =>
    (
      await db.query<{ id: string }>(
        `select file_id as id from files where lexical_build <> $1
         union all select 'turn ' || turn_number from turns where lexical_build <> $1 order by 1`,
        [LEXICAL_BUILD],
      )
    ).rows.map(({ id }) => id);

  beforeEach(async () => {
    const document = (name: string) => sectionedDocument(name, [{ path: [], leaves: ['Budgets shrink.'] }]);
    for (const name of ['a.md', 'z.md']) {
      await storeDocument(db, scope, document(name), (leaf) => model.vectorOf(leaf.text));
    }
    await storeIndexedTurn(db, scope, { ...TURN, turnNumber: 2 });
    await indexOtherwise(LEXICAL_BUILD - 1);
    await enqueueIndexing(db, 'other');
  });

  it.each([
    ['the first file', 'a.md', { fileId: 'a.md' }],
    ['another file', 'plan.md', { fileId: 'plan.md' }],
    ['the first turn', 1, { turnNumber: 1 }],
  ])('is passed over, and said once: %s', async (_, item, named) => {
    const warn = vi.fn();
    const handler = createIndexingHandler(
      refusing((values) => values[2] === item),
      { warn },
    );
    expect(await runAll(handler, 3)).toBe(1);
    expect(await stale()).toEqual([typeof item === 'number' ? `turn ${item}` : item]);
    expect(warn.mock.calls.map(([details]) => details)).toEqual([{ ...scope, ...named, err: wrongRow }]);
  });

  it('is passed over by the jobs for the rest, too', async () => {
    for (let turnNumber = 3; turnNumber <= 120; turnNumber++) {
      await storeTurn(db, scope, { turnNumber, message: `message ${turnNumber}`, lexicalLength: 1 });
    }
    await indexOtherwise(LEXICAL_BUILD - 1);
    const warn = vi.fn();
    const isRefused = (values: readonly unknown[]) => values[2] !== 120;
    expect(await runAll(createIndexingHandler(refusing(isRefused), { warn }), 6)).toBe(3);
    expect(await stale()).not.toContain('turn 120');
    expect(warn).toHaveBeenCalledTimes(3 + 119);
  });

  it('is passed over by reindex, which says what it is', async () => {
    const unindexed = vi.fn();
    expect(
      await indexWords(
        refusing((values) => values[2] === 'a.md'),
        unindexed,
      ),
    ).toBe(4);
    expect(unindexed.mock.calls).toEqual([[{ ...scope, fileId: 'a.md' }, wrongRow]]);
    expect(await stale()).toEqual(['a.md']);
  });

  const trouble = (code: string) =>
    new DatabaseError('unavailable', Object.assign(new Error(code), { code }), false);

  it('is tried again where the database is in trouble, with all that is behind it', async () => {
    const handler = createIndexingHandler(
      refusing(() => true, trouble('57P01')),
      { warn: failing },
    );
    await expect(runNext(handler)).rejects.toThrow(DatabaseError);
    expect(await stale()).toHaveLength(5);
  });

  it('is passed over when the database takes too long for it alone', async () => {
    const handler = createIndexingHandler(
      refusing((values) => values[2] === 'a.md', trouble('57014')),
      { warn: () => undefined },
    );
    await runNext(handler);
    expect(await stale()).toEqual(['a.md']);
  });
});
