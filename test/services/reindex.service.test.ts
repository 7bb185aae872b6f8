import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { insertTurnSummary, setSummaryEmbedding } from '../../src/db/turn-summaries.ts';
import { fromVectorText } from '../../src/db/vector-text.ts';
import { embeddingText } from '../../src/documents/chunking/embedding-text.ts';
import { createNoEmbeddings } from '../../src/embeddings/off.ts';
import { createQueryEmbedder } from '../../src/retrieval/query-vector.ts';
import type { Scope } from '../../src/scope.ts';
import {
  assertEmbeddingModel,
  foreignVectors,
  holdEmbeddingModel,
} from '../../src/services/embedding-settings.ts';
import { reindex } from '../../src/services/reindex.ts';
import { fakeEmbeddingModel } from '../fakes/embedding-model.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { storeProject } from '../helpers/rows/project.ts';
import { storeTurn } from '../helpers/rows/turn.ts';
import { sectionedDocument } from '../helpers/sectioned-document.ts';
import { storeDocument } from '../helpers/stored-document.ts';

const before = fakeEmbeddingModel({ id: 'before' });
const document = sectionedDocument('plan.md', [
  { path: ['Risks'], leaves: ['The budget is small.', 'We are late.'] },
]);
const quiet = { progress: () => undefined, waiting: () => undefined, unindexed: () => undefined };
const SUMMARY = 'The CFO decides.';

let db: Database;
let scope: Scope;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  for (const table of ['projects', 'settings', 'embedding_cache']) await db.query(`delete from ${table}`);
  scope = await storeProject(db, 'p');
  await assertEmbeddingModel(db, before);
  await storeDocument(db, scope, document, (leaf) => before.vectorOf(embeddingText(leaf)));
  await storeTurn(db, scope);
  await insertTurnSummary(db, scope, 1, { summary: SUMMARY, source: 'model' });
  await setSummaryEmbedding(db, scope, 1, SUMMARY, before.vectorOf(SUMMARY));
});

const storedVectors = async (): Promise<Float32Array[]> => {
  const { rows } = await db.query<{ vector: string }>(
    `select v.embedding::text as vector from leaf_vectors v join document_leaves l using (workspace_id, project_id, leaf_id)
     union all select embedding::text from turn_summaries where embedding is not null`,
  );
  return rows.map(({ vector }) => fromVectorText(vector));
};

describe('reindex', () => {
  it('gives leaves and summaries the vectors of the new model, which is then in force', async () => {
    const after = fakeEmbeddingModel({ id: 'after', dimensions: 256 });
    const progress: string[] = [];
    const listener = { ...quiet, progress: (done: number, all: number) => progress.push(`${done}/${all}`) };
    expect(await reindex(db, after, listener)).toEqual({ embedded: 3, indexed: 0 });
    expect(progress).toEqual(['3/3']);
    const vectors = await storedVectors();
    expect(vectors).toHaveLength(3);
    const texts = [...document.leaves.map(embeddingText), SUMMARY];
    expect(vectors).toEqual(expect.arrayContaining(texts.map(after.vectorOf)));
    await assertEmbeddingModel(db, after);
    await expect(assertEmbeddingModel(db, before)).rejects.toThrow(/forge reindex/);
  });

  it('goes through all projects, and asks the model once for what each has little of', async () => {
    const texts = ['one', 'two', 'three'].map((id) => `The budget of ${id}.`);
    for (const [index, text] of texts.entries()) {
      const other = await storeProject(db, `other-${index}`);
      const small = sectionedDocument('small.md', [{ path: ['Risks'], leaves: [text] }]);
      await storeDocument(db, other, small, (leaf) => before.vectorOf(embeddingText(leaf)));
    }
    const after = fakeEmbeddingModel({ id: 'after' });
    expect(await reindex(db, after, quiet)).toMatchObject({ embedded: 6 });
    expect(after.calls).toHaveLength(1);
    const { rows } = await db.query<{ project: string; vector: string }>(
      'select project_id as project, embedding::text as vector from leaf_vectors order by project_id, leaf_id',
    );
    expect(rows.map(({ project }) => project)).toEqual(['other-0', 'other-1', 'other-2', 'p', 'p']);
    const made = rows.map(({ vector }) => fromVectorText(vector));
    const breadcrumb = '[Source: small.md > Risks]';
    const wanted = texts.map((text) => after.vectorOf(embeddingText({ breadcrumb, text, context: null })));
    expect(made.slice(0, 3)).toEqual(wanted);
  });

  it('gives vectors to what waits for them, which then waits no more', async () => {
    const early = sectionedDocument('early.md', [{ path: ['Early'], leaves: ['The CFO has come.'] }]);
    await storeDocument(db, scope, early, () => undefined);
    await db.query(`update files set vectors_pending = 1, status = 'in_progress' where name = 'early.md'`);
    const after = fakeEmbeddingModel({ id: 'after' });
    expect(await reindex(db, after, quiet)).toMatchObject({ embedded: 4 });
    expect(await storedVectors()).toEqual(
      expect.arrayContaining(early.leaves.map(embeddingText).map(after.vectorOf)),
    );
    const { rowCount } = await db.query('select from files where vectors_pending > 0');
    expect(rowCount).toBe(0);
  });

  it('takes its old vector from an acknowledgement, and gives it none', async () => {
    const routing = '{"requires_retrieval": false, "source": "model"}';
    await db.query('update turns set routing = $1 where project_id = $2', [routing, scope.projectId]);
    const after = fakeEmbeddingModel({ id: 'after' });
    expect(await reindex(db, after, quiet)).toMatchObject({ embedded: 2 });
    const { rowCount } = await db.query('select from turn_summaries where embedding is not null');
    expect(rowCount).toBe(0);
  });

  it('embeds what is added meanwhile before it swaps', async () => {
    const late = sectionedDocument('late.md', [{ path: ['Late'], leaves: ['The CFO has left.'] }]);
    let isAdded = false;
    const after = fakeEmbeddingModel({ id: 'after' });
    const slow = {
      ...after,
      embed: async (...args: Parameters<typeof after.embed>) => {
        const result = await after.embed(...args);
        // the leaves have been read by now, and the summaries follow
        if (!isAdded && args[0].includes(SUMMARY)) {
          isAdded = true;
          await storeDocument(db, scope, late, (leaf) => before.vectorOf(embeddingText(leaf)));
        }
        return result;
      },
    };
    await reindex(db, slow, quiet);
    const texts = [...document.leaves, ...late.leaves].map(embeddingText);
    expect(await storedVectors()).toEqual(expect.arrayContaining([...texts, SUMMARY].map(after.vectorOf)));
    expect(await storedVectors()).toHaveLength(4);
  });

  it('is noticed by a service that runs with the model of before', async () => {
    const embedder = createQueryEmbedder(before, {
      isInForce: async () => (await foreignVectors(db, before)) === null,
    });
    expect(await embedder.embed('budget')).not.toBeNull();
    await db.transaction((tx) => holdEmbeddingModel(tx, before));
    await reindex(db, fakeEmbeddingModel({ id: 'after' }), quiet);
    expect(await embedder.embed('budget')).toBeNull();
    expect(await foreignVectors(db, before)).toMatch(/after.*has to be started again/);
    await expect(db.transaction((tx) => holdEmbeddingModel(tx, before))).rejects.toMatchObject({
      retryable: true,
      isPostponed: true,
    });
  });

  it('takes all vectors away where embeddings are switched off, and brings them back at no cost', async () => {
    await reindex(db, createNoEmbeddings(), quiet);
    expect(await storedVectors()).toEqual([]);
    await expect(assertEmbeddingModel(db, before)).rejects.toThrow(/made by nothing.*forge reindex/);
    const first = fakeEmbeddingModel({ id: 'before' });
    await reindex(db, first, quiet);
    const again = fakeEmbeddingModel({ id: 'before' });
    // who only looks, or works beside the service, takes over nothing
    await assertEmbeddingModel(db, createNoEmbeddings(), 'reader');
    await expect(assertEmbeddingModel(db, createNoEmbeddings(), 'worker')).rejects.toThrow(/forge reindex/);
    expect(await foreignVectors(db, first)).toBeNull();
    await assertEmbeddingModel(db, createNoEmbeddings());
    await reindex(db, again, quiet);
    expect(again.calls).toEqual([]);
    await assertEmbeddingModel(db, again);
  });

  it('changes nothing when it is broken off, and embeds only the rest the next time', async () => {
    const limits = { inputsPerCall: 1, tokensPerCall: 1_000, tokensPerInput: 1_000 };
    const failing = fakeEmbeddingModel({
      id: 'after',
      limits,
      fail: (call) => {
        if (call === 2) throw new Error('provider down');
      },
    });
    await expect(reindex(db, failing, quiet)).rejects.toThrow('provider down');
    await assertEmbeddingModel(db, before);
    expect(await storedVectors()).toEqual(expect.arrayContaining([before.vectorOf(SUMMARY)]));
    const after = fakeEmbeddingModel({ id: 'after', limits });
    await reindex(db, after, quiet);
    expect(after.calls).toEqual([[SUMMARY]]);
  });
});
