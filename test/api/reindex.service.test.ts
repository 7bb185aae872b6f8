import { expect, it } from 'vitest';
import { reindex } from '../../src/services/reindex.ts';
import { fakeEmbeddingModel } from '../fakes/embedding-model.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { openTestDatabase } from '../helpers/database.ts';

const NOTES = '# People\n\nDana decides on the budget of 40,000 euros. Ilya is against it.\n';
const quiet = { progress: () => undefined, waiting: () => undefined, unindexed: () => undefined };

const strategy = async (forge: TestApp) =>
  (await forge.call('POST', '/projects/p/search', { query: 'Who is Ilya?' })).body.strategy;
const fileOf = async (forge: TestApp, name: string) =>
  (await forge.call('GET', `/projects/p/files/${name}`)).body;

it('goes on by words when another embedding model has taken over, and leaves its uploads to a service that has it', async () => {
  const shared = await openTestDatabase();
  const db = { ...shared, close: async () => undefined };
  const before = await startTestApp({
    overrides: { db, embeddingModel: fakeEmbeddingModel({ id: 'before' }) },
  });
  await before.call('POST', '/projects', { id: 'p', name: 'P' });
  await before.upload('p', { 'notes.md': NOTES });
  expect(await strategy(before)).toBe('hybrid');
  expect((await before.call('GET', '/readyz')).body.status).toBe('ok');

  const after = fakeEmbeddingModel({ id: 'after', dimensions: 256 });
  expect(await reindex(db, after, quiet)).toMatchObject({ embedded: 1 });
  expect(await strategy(before)).toBe('lexical_fallback');
  expect((await before.call('GET', '/readyz')).body).toMatchObject({
    ready: true,
    status: 'degraded',
    reasons: [{ phase: 'embed', problem: 'settings', detail: expect.stringContaining('started again') }],
  });
  await before.upload('p', { 'late.md': '# Late\n\nIlya has left.\n' }, { prefer: 'wait=0' });
  await expect
    .poll(async () => (await fileOf(before, 'late.md')).last_error?.code)
    .toBe('provider_misconfigured');
  expect(await fileOf(before, 'late.md')).toMatchObject({ status: 'in_progress' });
  await before.close();

  const forge = await startTestApp({ overrides: { db, embeddingModel: after } });
  await forge.db.query('update jobs set run_at = now()', []);
  const settled = async () => (await fileOf(forge, 'late.md')).status;
  await expect.poll(settled).toBe('completed');
  expect(await strategy(forge)).toBe('hybrid');
  await forge.close();
  await shared.close();
});
