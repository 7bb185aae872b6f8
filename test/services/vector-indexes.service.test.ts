import { afterAll, beforeAll, expect, it } from 'vitest';
import { seededRandom } from '../../bench/search-corpus.ts';
import type { Database } from '../../src/db/database.ts';
import { selectNearestByIndex, selectNearestLeaves } from '../../src/db/nearest-leaves.ts';
import { openUnlimited } from '../../src/db/open.ts';
import { hasVectorIndex, selectVectorIndexes, vectorIndexName } from '../../src/db/vector-indexes.ts';
import type { Scope } from '../../src/scope.ts';
import { keepVectorIndexes } from '../../src/services/vector-indexes.ts';
import { clusterServers } from '../helpers/cluster.ts';
import { openTestDatabase, openUndistributedDatabase } from '../helpers/database.ts';
import { storeProject } from '../helpers/rows/project.ts';
import { sectionedDocument } from '../helpers/sectioned-document.ts';
import { storeDocument } from '../helpers/stored-document.ts';

const DIMENSIONS = 32;
const FROM = 1_000;
const FILES = ['one.md', 'two.md', 'three.md'];
const NO_FILTER = { filenames: [], mediaTypes: [], headerPath: [] };

/** Different for each number, and the same in every run. */
function direction(seed: number): Float32Array {
  const random = seededRandom(seed);
  const values = Array.from({ length: DIMENSIONS }, () => random() - 0.5);
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}

let db: Database;
let large: Scope;
let small: Scope;

async function store(scope: Scope, name: string, leaves: number, from: number): Promise<void> {
  const texts = Array.from({ length: leaves }, (_, index) => `leaf ${index}`);
  const document = sectionedDocument(name, [{ path: ['All'], leaves: texts }]);
  await db.transaction((tx) =>
    storeDocument(tx, scope, document, ({ leafIndex }) => direction(from + leafIndex)),
  );
}

/** A connection of the database that may be closed; the embedded one has but one. */
async function openAnother(): Promise<Database> {
  if (db.kind === 'embedded') return { ...db, close: async () => undefined };
  const { rows } = await db.query<{ name: string }>('select current_database() as name');
  const url = new URL(process.env.TEST_DATABASE_URL ?? '');
  url.pathname = `/${rows[0]?.name}`;
  return openUnlimited(url.href);
}

async function keep(options: { fromLeaves?: number; dimensions?: number; isDry?: boolean } = {}) {
  const { fromLeaves = FROM, dimensions = DIMENSIONS, isDry = false } = options;
  const own = await openAnother();
  return keepVectorIndexes({ db, open: () => own, fromLeaves, dimensions }, { isDry });
}

beforeAll(async () => {
  db = await openUndistributedDatabase();
  large = await storeProject(db, 'large');
  small = await storeProject(db, 'small');
  for (const [index, name] of FILES.entries()) await store(large, name, 400, index * 400);
  await store(small, 'one.md', 50, 0);
});
afterAll(() => db.close());

const nameOfLarge = () => vectorIndexName(large, DIMENSIONS);

it('says what it would do, builds the index of a large project alone, and does nothing twice', async () => {
  const wanted = { built: [nameOfLarge()], dropped: [], left: [] };
  expect(await keep({ isDry: true })).toEqual(wanted);
  expect(await selectVectorIndexes(db)).toEqual([]);
  expect(await keep()).toEqual(wanted);
  expect(await hasVectorIndex(db, large, DIMENSIONS)).toBe(true);
  expect(await hasVectorIndex(db, small, DIMENSIONS)).toBe(false);
  expect(await keep()).toEqual({ built: [], dropped: [], left: [] });
});

it('finds by the index what comparing all finds, with the same scores', async () => {
  await keep();
  for (const seed of [5, 777, 1_150]) {
    const query = { vector: direction(seed), limit: 10, filter: NO_FILTER };
    const exact = await selectNearestLeaves(db, large, query);
    expect(exact[0]?.score).toBeCloseTo(1, 5);
    expect(await selectNearestByIndex(db, large, query)).toEqual(exact);
  }
});

it('finds by the index what a filter lets through, and nothing of others', async () => {
  await keep();
  const filter = { ...NO_FILTER, filenames: ['two.md'] };
  const query = { vector: direction(5), limit: 10, filter };
  const found = await selectNearestByIndex(db, large, query);
  expect(found).toEqual(await selectNearestLeaves(db, large, query));
  expect(new Set(found.map(({ fileId }) => fileId))).toEqual(new Set(['two.md']));
});

it('goes by the index in the statement that searches', async () => {
  await keep();
  const { rows } = await db.query<{ 'QUERY PLAN': string }>(
    `explain select leaf_id from leaf_vectors v
     where v.workspace_id = '${large.workspaceId}' and v.project_id = 'large' and vector_dims(v.embedding) = ${DIMENSIONS}
     order by v.embedding::halfvec(${DIMENSIONS}) <#> '[${direction(5).join(',')}]'::halfvec(${DIMENSIONS}) limit 10`,
  );
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(nameOfLarge());
});

it('builds anew what was not built to its end', async () => {
  await keep();
  await db.query(`update pg_index set indisvalid = false where indexrelid = '${nameOfLarge()}'::regclass`);
  expect(await hasVectorIndex(db, large, DIMENSIONS)).toBe(false);
  expect(await keep()).toEqual({ built: [nameOfLarge()], dropped: [nameOfLarge()], left: [] });
  expect(await hasVectorIndex(db, large, DIMENSIONS)).toBe(true);
});

it('drops the index of other dimensions, of a project that has shrunk, and all when there are to be none', async () => {
  await keep();
  const other = vectorIndexName(large, 4);
  expect(await keep({ dimensions: 4 })).toEqual({ built: [other], dropped: [nameOfLarge()], left: [] });
  expect(await keep()).toEqual({ built: [nameOfLarge()], dropped: [other], left: [] });
  expect(await keep({ fromLeaves: 5_000 })).toEqual({ built: [], dropped: [nameOfLarge()], left: [] });
  await keep();
  expect(await keep({ fromLeaves: 0 })).toEqual({ built: [], dropped: [nameOfLarge()], left: [] });
});

it.runIf(clusterServers())('has none on a cluster, whose nodes compare all that they have', async () => {
  const spread = await openTestDatabase();
  const scope = await storeProject(spread, 'large');
  const document = sectionedDocument('one.md', [{ path: ['All'], leaves: ['a leaf', 'another'] }]);
  await spread.transaction((tx) =>
    storeDocument(tx, scope, document, ({ leafIndex }) => direction(leafIndex)),
  );
  const asked = { db: spread, open: () => spread, fromLeaves: 1, dimensions: DIMENSIONS };
  expect(await keepVectorIndexes(asked, { isDry: false })).toEqual({ built: [], dropped: [], left: [] });
  await spread.close();
});
