import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { realArray } from '../../src/db/real-array.ts';
import { openTestDatabase } from '../helpers/database.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

it('brings vectors into the database as they are, one after the other', async () => {
  const vectors = [
    [0.1, -2.5e-20, 3],
    [1 / 3, 0, -1e10],
  ].map((values) => Float32Array.from(values));
  const { rows } = await db.query<{ values: number[]; vector: string }>(
    `select ($1::real[])[(n - 1) * 3 + 1 : n * 3] as values, (($1::real[])[(n - 1) * 3 + 1 : n * 3]::vector)::text as vector
     from generate_series(1, 2) as n order by n`,
    [realArray(vectors)],
  );
  expect(rows.map((row) => Float32Array.from(row.values))).toEqual(vectors);
  expect(rows.map((row) => Float32Array.from(JSON.parse(row.vector) as number[]))).toEqual(vectors);
});

it('has no element for no vector', async () => {
  const { rows } = await db.query('select coalesce(cardinality($1::real[]), 0) as length', [realArray([])]);
  expect(rows).toEqual([{ length: 0 }]);
});
