import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Database, Queryable } from '../../src/db/database.ts';
import type { Scope } from '../../src/scope.ts';
import { createContextService } from '../../src/services/contexts/contexts.ts';
import { fakeEmbeddingModel } from '../fakes/embedding-model.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { storeFileVersion } from '../helpers/rows/file.ts';
import { storeProject } from '../helpers/rows/project.ts';
import { sectionedDocument } from '../helpers/sectioned-document.ts';
import { storeDocument } from '../helpers/stored-document.ts';

const model = fakeEmbeddingModel();
/** More than are changed at once; of each but the first three one leaf lacks its context, of those three all. */
const FILES = 60;
const ALL = { names: null, dryRun: false };
const named = (index: number): string => `file-${String(index).padStart(2, '0')}.md`;

let db: Database;
let scope: Scope;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.query('delete from projects');
  await db.query('delete from jobs');
  scope = await storeProject(db, 'p');
  for (let index = 0; index < FILES; index += 1) {
    const leaves = Array.from({ length: 3 }, (_, leaf) => `Ferry ${index} sails from quay ${leaf}.`);
    const document = sectionedDocument(named(index), [{ path: ['Quays'], leaves }]);
    await storeDocument(db, scope, document, (leaf) => model.vectorOf(leaf.text));
    await storeFileVersion(db, scope, named(index), Buffer.from('Quays'));
  }
  await db.query(
    `insert into leaf_contexts (workspace_id, project_id, file_id, content_hash, context, model)
     select workspace_id, project_id, file_id, content_hash, 'Of a harbour.', 'm' from document_leaves
     where leaf_index < 2 and file_id > $1`,
    [named(2)],
  );
});

/** The service on a database that some transactions of fail, and how often it said that there are jobs. */
function serviceWith(transaction: Database['transaction'], byDefault = true) {
  const told = { jobs: 0, removed: 0 };
  const service = createContextService({
    db: { ...db, query: db.query.bind(db), transaction },
    terms: {
      model: { id: 'claude-haiku-5-5', provider: 'anthropic' },
      byDefault,
      partTokens: 1_000,
    },
    embeddingModel: model,
    onJob: () => {
      told.jobs += 1;
    },
    onJobsRemoved: () => {
      told.removed += 1;
    },
  });
  return { service, told };
}

const pending = async (): Promise<number> =>
  (
    await db.query<{ files: number }>(
      `select count(*)::int as files from files f join jobs j
         on j.workspace_id = f.workspace_id and j.project_id = f.project_id and j.subject = f.file_id and j.kind = 'write_contexts'
       where f.context_state = 'pending'`,
      [],
    )
  ).rows[0]?.files ?? 0;

it('changes some files at a time, and goes on after a slice that failed', async () => {
  let begun = 0;
  const { service, told } = serviceWith(async (work: (tx: Queryable) => Promise<never>) => {
    begun += 1;
    if (begun === 2) throw new Error('connection lost');
    return db.transaction(work);
  });
  await expect(service.apply(scope, ALL)).rejects.toThrow('connection lost');
  const first = await pending();
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(FILES);
  // what was committed is begun at once
  expect(told).toEqual({ jobs: 1, removed: 1 });
  const { written } = await service.apply(scope, ALL);
  expect(written).toHaveLength(FILES);
  expect(await pending()).toBe(FILES);
});

it('takes contexts away some files at a time, and those of the rest when it is called again', async () => {
  let begun = 0;
  const { service } = serviceWith(async (work: (tx: Queryable) => Promise<never>) => {
    begun += 1;
    if (begun === 2) throw new Error('connection lost');
    return db.transaction(work);
  }, false);
  const { removed } = await service.apply(scope, { ...ALL, dryRun: true });
  expect(removed).toHaveLength(FILES - 3);
  expect(begun).toBe(0);
  await expect(service.apply(scope, ALL)).rejects.toThrow('connection lost');
  const done = await pending();
  expect(done).toBeGreaterThan(0);
  expect((await service.apply(scope, ALL)).removed).toHaveLength(FILES - 3 - done);
  expect(await pending()).toBe(FILES - 3);
  expect((await db.query('select from leaf_contexts', [])).rowCount).toBe(0);
});

it('adds up what each file takes', async () => {
  const { service } = serviceWith((work) => db.transaction(work));
  const all = await service.apply(scope, { names: null, dryRun: true });
  expect(all.written).toEqual(
    Array.from({ length: FILES }, (_, index) => ({
      name: named(index),
      leaves: index < 3 ? 3 : 1,
      calls: 1,
    })),
  );
  const each: (typeof all)[] = [];
  for (let index = 0; index < FILES; index += 1) {
    each.push(await service.apply(scope, { names: [named(index)], dryRun: true }));
  }
  const sum = (of: (plan: typeof all) => number): number => each.reduce((total, plan) => total + of(plan), 0);
  expect(all.estimate).toMatchObject({
    leaves: FILES + 6,
    calls: FILES,
    input_tokens: sum(({ estimate }) => estimate.input_tokens),
    output_tokens: sum(({ estimate }) => estimate.output_tokens),
  });
  expect(all.estimate.cost_usd).toBeCloseTo(
    sum(({ estimate }) => estimate.cost_usd ?? 0),
    4,
  );
  expect(all.embedding.tokens).toBe(sum(({ embedding }) => embedding.tokens));
  expect(all.embedding.tokens).toBeGreaterThan(0);
  expect(await pending()).toBe(0);
});
