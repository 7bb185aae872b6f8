import { afterAll, beforeAll, expect, it } from 'vitest';
import { reindex } from '../../src/services/reindex.ts';
import { fakeEmbeddingModel } from '../fakes/embedding-model.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { createTenants } from '../helpers/tenants.ts';

let forge: TestApp;
let tenants: Awaited<ReturnType<typeof createTenants>>;

beforeAll(async () => {
  forge = await startTestApp();
  tenants = await createTenants(forge, []);
});
afterAll(() => forge.close());

it('does not show a workspace that another has embedded the same text, and embeds all again for each', async () => {
  const tenant = async (id: string) => {
    await forge.call('POST', '/workspaces', { id, name: id }, tenants.service);
    const asked = { name: id, scopes: ['write'], workspace: id };
    const { key } = (await forge.call('POST', '/keys', asked, tenants.service)).body;
    return { authorization: `Bearer ${key}` };
  };
  const used = async (headers: object) => {
    const { by_phase: phases } = (await forge.call('GET', '/projects/same/usage', undefined, headers)).body;
    return phases.find(({ phase }: { phase: string }) => phase === 'embed_files');
  };
  const spent = [];
  for (const headers of [await tenant('one'), await tenant('two')]) {
    await forge.call('POST', '/projects', { id: 'same', name: 'Same' }, headers);
    await forge.upload(
      'same',
      { 'numbat.md': '# Numbat\n\nA numbat eats twenty thousand termites.\n' },
      headers,
    );
    await forge.settle();
    spent.push(await used(headers));
  }
  expect(spent[0]).toMatchObject({ calls: 1 });
  expect(spent[1]).toEqual(spent[0]);

  await reindex(forge.db, fakeEmbeddingModel({ id: 'another' }), {
    progress() {},
    waiting() {},
    unindexed() {},
  });
  const { rows } = await forge.db.query<{ workspace_id: string }>(
    "select workspace_id from leaf_vectors where project_id = 'same' order by workspace_id",
  );
  expect(rows.map(({ workspace_id }) => workspace_id)).toEqual(['one', 'two']);
});
