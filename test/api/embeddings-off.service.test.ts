import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';

const NOTES = '# People\n\nDana decides on the budget of 40,000 euros. Ilya is against it.\n';

let forge: TestApp;
beforeEach(async () => {
  forge = await startTestApp({ settings: { EMBEDDING_PROVIDER: 'off' }, ownEmbeddings: true });
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
});
afterEach(() => forge.close());

const search = async (body: object) =>
  (await forge.call('POST', '/projects/p/search', { query: 'Who is Ilya?', ...body })) as {
    status: number;
    body: Record<string, unknown>;
  };

it('goes by words alone without embeddings, and says so wherever the model is named', async () => {
  const off = { provider: 'off', model: 'off', dimensions: 0 };
  expect((await forge.call('GET', '/readyz')).body).toMatchObject({ status: 'ok', embedding: off });
  expect((await forge.call('GET', '/version')).body).toMatchObject({
    embedding: off,
    models: { provider: 'offline' },
  });

  const preview = await forge.upload('p', { 'notes.md': NOTES }, {}, '?dry_run=true');
  expect(preview.body.embedding).toEqual({ model: 'off', tokens: 0, cost_usd: 0 });
  const file = await forge.upload('p', { 'notes.md': NOTES });
  expect(file.body).toMatchObject({ status: 'completed', chunk_count: 1 });
  const { rowCount } = await forge.db.query('select 1 from leaf_vectors', []);
  expect(rowCount).toBe(0);

  for (const mode of ['hybrid', 'lexical']) {
    const { status, body } = await search({ mode });
    expect([status, body.strategy, body.embedding_model]).toEqual([200, 'lexical', 'off']);
    expect(JSON.stringify(body.data)).toContain('Ilya is against it');
  }
  const refused = await search({ mode: 'semantic' });
  expect(refused).toMatchObject({ status: 409, body: { code: 'embeddings_off' } });
  const sections = await forge.call('POST', '/projects/p/files/notes.md/sections', { query: 'Ilya' });
  expect(sections.body).toMatchObject({ strategy: 'fallback', state: 'offline_fallback' });

  const turn = await forge.call('POST', '/projects/p/turns', { message: 'Who is against the budget?' });
  expect(turn.status).toBe(201);
  const receipt = (await forge.call('GET', '/projects/p/turns/1/context')).body;
  expect(receipt.retrieval).toMatchObject({ documents: 'lexical', embedding_model: 'off' });
  const summarised = async () =>
    (await forge.db.query('select summary <> $1 as made, embedding from turn_summaries', [''])).rows;
  await expect.poll(summarised).toEqual([{ made: true, embedding: null }]);

  // what was stored meanwhile has to get its vectors before anything is searched by meaning
  const db = { ...forge.db, close: async () => undefined };
  await expect(startTestApp({ overrides: { db } })).rejects.toThrow(/forge reindex/);
});
