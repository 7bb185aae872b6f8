import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createEmbeddingModel } from '../../src/providers.ts';
import { reindex } from '../../src/services/reindex.ts';
import { startTestApp } from '../helpers/app.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { tinyEncoder, WIDTH, writeFiles } from '../helpers/tiny-encoder.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'forge-local-encoder-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const quiet = { progress: () => undefined, waiting: () => undefined, unindexed: () => undefined };

/** Settings that name a folder with these files. */
function settingsFor(files: Record<string, unknown>): Record<string, string> {
  const folder = writeFiles(mkdtempSync(join(root, 'encoder-')), files);
  return { LOCAL_MODEL_DIR: folder, EMBEDDING_WORKERS: '1', VOYAGE_API_KEY: 'for something else' };
}

it('embeds with the encoder of a folder, and asks for a reindex when the folder holds another', async () => {
  const shared = await openTestDatabase();
  const db = { ...shared, close: async () => undefined };
  const start = (settings: Record<string, string>) =>
    startTestApp({ settings, ownEmbeddings: true, overrides: { db } });
  const ask = async (forge: Awaited<ReturnType<typeof start>>) =>
    (await forge.call('POST', '/projects/p/search', { query: 'cats' })).body;

  const first = settingsFor(tinyEncoder());
  const forge = await start(first);
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  const { body: file } = await forge.upload('p', { 'pets.md': '# Pets\n\nThe cats have a price.\n' });
  expect(file.status).toBe('completed');
  const found = await ask(forge);
  expect(found).toMatchObject({ strategy: 'hybrid', data: [{ filename: 'pets.md' }] });
  expect(found.embedding_model).toMatch(/^local\/tiny@[0-9a-f]{8}$/);
  expect((await forge.call('GET', '/readyz')).body.embedding).toEqual({
    provider: 'local',
    model: found.embedding_model,
    dimensions: WIDTH,
  });
  await forge.close();

  const other = { name: 'tiny', dimensions: WIDTH, pooling: 'mean', max_tokens: 16 };
  const second = settingsFor({ ...tinyEncoder(), 'config.json': other });
  await expect(start(second)).rejects.toThrow(/made by local local\/tiny@.* run `npx forge reindex`/);

  const model = createEmbeddingModel(readConfig(second));
  expect(await reindex(shared, model, quiet)).toMatchObject({ embedded: 1 });
  await model.close();
  const again = await start(second);
  expect(await ask(again)).toMatchObject({ strategy: 'hybrid', embedding_model: model.id });
  await again.close();
  await shared.close();
});

it.each([
  ['has no tokenizer', { 'tokenizer.json': undefined }, /it has no tokenizer\.json/],
  [
    'has a network that cannot be read',
    { 'model.onnx': 'nothing' },
    /cannot be used: Local embedding failed/,
  ],
  [
    'gives vectors of another size than it says',
    { 'config.json': { name: 'tiny', dimensions: 8, pooling: 'cls' } },
    /gives vectors of 4 numbers where its configuration says 8/,
  ],
])(
  'does not start with a folder that %s',
  async (_, change, expected) => {
    const files = Object.entries({ ...tinyEncoder(), ...change }).filter(([, file]) => file !== undefined);
    const settings = settingsFor(Object.fromEntries(files));
    await expect(startTestApp({ settings, ownEmbeddings: true })).rejects.toThrow(expected);
  },
  60_000,
);

it('does not take another number of dimensions than the encoder has', () => {
  const settings = { ...settingsFor(tinyEncoder()), EMBEDDING_DIMENSIONS: '512' };
  expect(() => createEmbeddingModel(readConfig(settings))).toThrow(
    /EMBEDDING_DIMENSIONS: tiny has 4 dimensions/,
  );
});
