import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { readSource } from '../../src/db/file-versions.ts';
import { copyLeafVectors, hasVectorsForAll } from '../../src/db/leaf-vectors.ts';
import type { Scope } from '../../src/scope.ts';
import { embedIntoCache } from '../../src/services/embedding-cache.ts';
import { ofVectors } from '../../src/services/ingestion/embed-leaves.ts';
import { fakeEmbeddingModel } from '../fakes/embedding-model.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { plainOriginals } from '../helpers/plain-originals.ts';
import { storeFileVersion } from '../helpers/rows/file.ts';
import { storeProject } from '../helpers/rows/project.ts';
import { sectionedDocument } from '../helpers/sectioned-document.ts';
import { storeDocument } from '../helpers/stored-document.ts';

const NAME = 'report.md';
const document = sectionedDocument(NAME, [{ path: [], leaves: ['a', 'b'] }]);
const { leaves } = document;
const inputs = leaves.map(({ contentHash, text }) => ({ hash: contentHash, text }));

let db: Database;
let scope: Scope;
beforeAll(async () => {
  db = await openTestDatabase();
  scope = await storeProject(db, 'vectors');
  await storeDocument(db, scope, document, () => undefined);
});
afterAll(() => db.close());

it('gives each leaf the vector that the model made of its content, and knows when one has none', async () => {
  const model = fakeEmbeddingModel();
  const other = fakeEmbeddingModel({ id: 'other' });
  await embedIntoCache(db, other, inputs.slice(1), {});
  expect(await embedIntoCache(db, model, inputs.slice(0, 1), {})).toMatchObject({ embedded: 1, reused: 0 });
  await copyLeafVectors(db, scope, NAME, model, ofVectors(leaves));
  expect(await hasVectorsForAll(db, scope, NAME, 2)).toBe(false);

  expect(await embedIntoCache(db, model, inputs, {})).toMatchObject({ embedded: 1, reused: 1 });
  await copyLeafVectors(db, scope, NAME, model, ofVectors(leaves));
  expect(await hasVectorsForAll(db, scope, NAME, 2)).toBe(true);
  expect(await hasVectorsForAll(db, scope, NAME, 3)).toBe(false);
  const { rows } = await db.query<{ embedding: string }>(
    'select embedding::text as embedding from leaf_vectors where project_id = $1 order by leaf_id',
    [scope.projectId],
  );
  expect(rows.map((row) => Float32Array.from(JSON.parse(row.embedding) as number[]))).toEqual(
    ['a', 'b'].map(model.vectorOf),
  );
});

it('reads the bytes of a large version as they were stored', async () => {
  const bytes = Buffer.from(Uint8Array.from({ length: 2_500_001 }, (_, index) => (index * 31) % 251));
  await storeFileVersion(db, scope, NAME, bytes);
  const source = await readSource(db, scope, NAME, 1);
  expect(source?.byteLength).toBe(bytes.length);
  const file = { fileId: NAME, version: 1 };
  expect((await plainOriginals.readWhole(db, scope, file, bytes.length))?.equals(bytes)).toBe(true);
  expect(await readSource(db, scope, NAME, 2)).toBeNull();
});
