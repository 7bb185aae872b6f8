import { expect, it } from 'vitest';
import type { Queryable } from '../../src/db/database.ts';
import { putParentsAndLeaves } from '../../src/db/documents.ts';
import { openUndistributedDatabase } from '../helpers/database.ts';
import { storeFile } from '../helpers/rows/file.ts';
import { storeProject } from '../helpers/rows/project.ts';
import { sectionedDocument } from '../helpers/sectioned-document.ts';
import { storeDocument } from '../helpers/stored-document.ts';

const LEAVES = 1_500;
const SLICE = 200;
const vector = Float32Array.of(1, 2);

const document = (name: string, leaves: number) =>
  sectionedDocument(
    name,
    Array.from({ length: leaves }, (_, at) => ({ path: [`${at}`], leaves: [`${name} ${at}`] })),
  );

/** Rows of parents and leaves that were read, by any index or none, in the transaction so far. */
async function rowsRead(tx: Queryable): Promise<number> {
  const { rows } = await tx.query<{ rows: number }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
     where relname in ('document_parents', 'document_leaves')`,
  );
  return rows[0]?.rows ?? 0;
}

it('reads a few rows for each leaf of one that is stored slice by slice beside small ones', async () => {
  const db = await openUndistributedDatabase();
  const scope = await storeProject(db, 'p');
  for (const name of ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']) {
    await db.query('analyze');
    await db.transaction((tx) => storeDocument(tx, scope, document(name, 20), () => vector));
  }
  await storeFile(db, scope, 'large', {});
  const { parents, leaves } = document('large', LEAVES);
  let read = 0;
  for (let from = 0; from < LEAVES; from += SLICE) {
    read += await db.transaction(async (tx) => {
      const slice = { parents: parents.slice(from, from + SLICE), leaves: leaves.slice(from, from + SLICE) };
      await putParentsAndLeaves(tx, scope, 'large', 1, slice);
      await tx.query('set constraints all immediate');
      return rowsRead(tx);
    });
  }
  expect(read).toBeGreaterThan(LEAVES / 2);
  // the first slice has the plans of before; 3,000 a leaf when all slices have them
  expect(read).toBeLessThan(150 * LEAVES);
  await db.close();
});

it.each([
  ['into an empty database', []],
  ['beside small ones', ['first', 'second']],
])('reads a few rows for each leaf of a large document that is stored %s', async (_, small) => {
  const db = await openUndistributedDatabase();
  const scope = await storeProject(db, 'p');
  for (const name of small) {
    // so many are checked that a plan for a table of this size is kept
    await db.query('analyze');
    await db.transaction((tx) => storeDocument(tx, scope, document(name, 20), () => vector));
  }
  const read = await db.transaction(async (tx) => {
    await storeDocument(tx, scope, document('large', LEAVES), () => vector);
    // the foreign keys that are checked at the end
    await tx.query('set constraints all immediate');
    return rowsRead(tx);
  });
  expect(read).toBeGreaterThan(LEAVES);
  expect(read).toBeLessThan(40 * LEAVES);
  await db.close();
});
