import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { insertTurnSummary, setSummaryEmbedding } from '../../src/db/turn-summaries.ts';
import { fromVectorText } from '../../src/db/vector-text.ts';
import { embeddingText } from '../../src/documents/chunking/embedding-text.ts';
import type { Scope } from '../../src/scope.ts';
import { assertEmbeddingModel } from '../../src/services/embedding-settings.ts';
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
const SUMMARY = 'The CFO decides.';

let db: Database;
let scope: Scope;
beforeAll(async () => {
  db = await openTestDatabase();
}, 60_000);
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
     union all select embedding::text from turn_summaries`,
  );
  return rows.map(({ vector }) => fromVectorText(vector));
};

describe('reindex', () => {
  it('gives leaves and summaries the vectors of the new model, which is then in force', async () => {
    const after = fakeEmbeddingModel({ id: 'after', dimensions: 256 });
    const progress: number[] = [];
    expect(await reindex(db, after, (done) => progress.push(done))).toEqual({ embedded: 3, indexed: 0 });
    expect(progress).toEqual([2, 3]);
    const vectors = await storedVectors();
    expect(vectors).toHaveLength(3);
    const texts = [...document.leaves.map(embeddingText), SUMMARY];
    expect(vectors).toEqual(expect.arrayContaining(texts.map(after.vectorOf)));
    await assertEmbeddingModel(db, after);
    await expect(assertEmbeddingModel(db, before)).rejects.toThrow(/forge reindex/);
  });

  it('takes its old vector from an acknowledgement, and gives it none', async () => {
    const routing = '{"requires_retrieval": false, "source": "model"}';
    await db.query('update turns set routing = $1 where project_id = $2', [routing, scope.projectId]);
    const after = fakeEmbeddingModel({ id: 'after' });
    expect(await reindex(db, after, () => undefined)).toMatchObject({ embedded: 2 });
    const { rowCount } = await db.query('select from turn_summaries where embedding is not null');
    expect(rowCount).toBe(0);
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
    await expect(reindex(db, failing, () => undefined)).rejects.toThrow('provider down');
    await assertEmbeddingModel(db, before);
    expect(await storedVectors()).toEqual(expect.arrayContaining([before.vectorOf(SUMMARY)]));
    const after = fakeEmbeddingModel({ id: 'after', limits });
    await reindex(db, after, () => undefined);
    expect(after.calls).toEqual([[SUMMARY]]);
  });
});
