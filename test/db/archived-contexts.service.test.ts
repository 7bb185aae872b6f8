import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readContexts } from '../../src/db/archived-rows.ts';
import type { Database } from '../../src/db/database.ts';
import { openTestDatabase } from '../helpers/database.ts';

const scope = { workspaceId: 'w', projectId: 'p' };
/** Several pages, and one whose `aa` comes last in Danish. */
const HASHES = [
  'aa'.repeat(32),
  ...Array.from({ length: 450 }, (_, n) => createHash('sha256').update(`leaf ${n}`).digest('hex')),
];

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

it('contexts are archived in the order of their bytes, whatever the language of the database', async () => {
  const { rows } = await db.query<{ name: string }>(
    `select collname as name from pg_collation where collname in ('C', 'da-x-icu') order by length(collname) desc`,
    [],
  );
  const read = await db.transaction(async (tx) => {
    // is found before the table of the same name
    await tx.query(
      `create temporary table leaf_contexts (workspace_id text, project_id text, file_id text,
         content_hash text collate "${rows[0]?.name}", context text, model text) on commit drop`,
      [],
    );
    await tx.query(
      `insert into leaf_contexts select 'w', 'p', 'f', hash, 'Of ' || hash, 'm' from unnest($1::text[]) as hash`,
      [HASHES],
    );
    await tx.query(
      `insert into leaf_contexts values ('w', 'p', 'f', 'none', null, 'm'), ('w', 'p', 'other', 'a', 'Of it.', 'm')`,
      [],
    );
    const found = [];
    for await (const context of readContexts(tx, scope, 'f')) found.push(context);
    return found;
  });
  expect(read).toEqual(
    HASHES.toSorted((a, b) => (a < b ? -1 : 1)).map((hash) => ({ hash, context: `Of ${hash}`, model: 'm' })),
  );
});
