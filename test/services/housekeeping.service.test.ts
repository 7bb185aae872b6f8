import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { emptyState } from '../../src/contract/state.ts';
import type { Database } from '../../src/db/database.ts';
import { evictEmbeddingCache, findCachedHashes, insertCachedVectors } from '../../src/db/embedding-cache.ts';
import { discardAbandonedImports, publishProject, stageProject } from '../../src/db/project-restore.ts';
import { createHousekeeping } from '../../src/services/housekeeping.ts';
import { createSecretStore } from '../../src/services/webhooks/secrets.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { plainOriginals } from '../helpers/plain-originals.ts';
import { storeIdempotencyKey } from '../helpers/rows/idempotency-key.ts';
import { secondsFromNow } from '../helpers/rows/insert-row.ts';

const model = { id: 'fake', dimensions: 2 };
const KEEP_ALL = {
  turnsDays: 0,
  receiptsDays: 0,
  eventsDays: 0,
  researchDays: 0,
  auditDays: 0,
  feedDays: 0,
  fileVersions: 0,
  window: 3,
};
const TWO_DAYS = 2 * 24 * 60 * 60;
const warnings: string[] = [];
const onJob = () => undefined;
const log = { warn: (_details: object, message: string) => warnings.push(message), info: () => undefined };

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  warnings.splice(0);
  await db.query('delete from embedding_cache');
});

/** Caches a vector for each hash, last used so many days ago. */
async function cache(hashes: string[], days: number): Promise<void> {
  await insertCachedVectors(
    db,
    model,
    hashes,
    hashes.map(() => Float32Array.of(1, 0)),
  );
  await db.query(
    'update embedding_cache set used_at = now() - make_interval(days => $1) where input_hash = any($2)',
    [days, hashes],
  );
}

const cached = async () =>
  (
    await db.query<{ hash: string }>('select input_hash as hash from embedding_cache order by 1', [])
  ).rows.map(({ hash }) => hash);

it('forgets vectors that no run has used for the given days', async () => {
  await cache(['old', 'old but used'], 40);
  await cache(['new'], 0);
  await findCachedHashes(db, model, ['old but used']);
  expect(await evictEmbeddingCache(db, { olderThanDays: 30, limit: 10 })).toBe(1);
  expect(await cached()).toEqual(['new', 'old but used']);
});

it('forgets so many at a time, those that were used longest ago first', async () => {
  await cache(['old'], 40);
  await cache(['older'], 50);
  await cache(['oldest'], 60);
  expect(await evictEmbeddingCache(db, { olderThanDays: 30, limit: 2 })).toBe(2);
  expect(await cached()).toEqual(['old']);
});

it('clears away old keys and vectors when the service starts, in rounds', async () => {
  const many = Array.from({ length: 1_100 }, (_, n) => `old ${n}`);
  await cache(many, 91);
  await cache(['kept'], 89);
  await storeIdempotencyKey(db, { idempotencyKey: 'old', createdAt: secondsFromNow(-TWO_DAYS) });
  await storeIdempotencyKey(db, { idempotencyKey: 'new' });
  const housekeeping = createHousekeeping({
    db,
    embeddingCacheDays: 90,
    originals: plainOriginals,
    webhookSecrets: createSecretStore({ active: null, keys: new Map() }),
    retention: KEEP_ALL,
    onJob,
    log,
  });
  housekeeping.start();
  await expect.poll(cached).toEqual(['kept']);
  await housekeeping.stop();
  const { rows } = await db.query('select idempotency_key as key from idempotency_keys', []);
  expect(rows).toEqual([{ key: 'new' }]);
  expect(warnings).toEqual([]);
});

it('clears away imports whose process has ended before they did', async () => {
  const staged = {
    name: 'P',
    state: emptyState(),
    createdAt: '2025-01-01T00:00:00Z',
    summarisedThrough: 0,
    contextual: null,
  };
  for (const projectId of ['under-way', 'abandoned', 'done']) {
    await stageProject(db, { workspaceId: 'default', projectId }, staged);
  }
  await publishProject(db, { workspaceId: 'default', projectId: 'done' });
  await db.query(
    "update projects set updated_at = now() - interval '2 hours' where project_id in ('abandoned', 'done')",
  );
  await discardAbandonedImports(db);
  const { rows } = await db.query('select project_id from projects order by 1');
  expect(rows).toEqual([{ project_id: 'done' }, { project_id: 'under-way' }]);
});

it('says what it could not do, and does the rest', async () => {
  await cache(['old'], 91);
  const failing: Database = {
    ...db,
    query: (sql, params) =>
      sql.includes('idempotency_keys') ? Promise.reject(new Error('no')) : db.query(sql, params),
  };
  const housekeeping = createHousekeeping({
    db: failing,
    embeddingCacheDays: 90,
    originals: plainOriginals,
    webhookSecrets: createSecretStore({ active: null, keys: new Map() }),
    retention: KEEP_ALL,
    onJob,
    log,
  });
  housekeeping.start();
  await expect.poll(cached).toEqual([]);
  await housekeeping.stop();
  expect(warnings).toEqual(['old idempotency keys could not be removed']);
});
