import { afterEach, expect, it } from 'vitest';
import { startFakeEmbeddings } from '../fakes/openai-embeddings.ts';
import { startTestApp } from '../helpers/app.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A service whose account allows so much, with one file that has used it up and another one behind it. */
async function start(limits: Record<string, string>) {
  const embeddings = await startFakeEmbeddings();
  closing.push(() => embeddings.close());
  const settings = {
    EMBEDDING_PROVIDER: 'openai',
    EMBEDDING_BASE_URL: embeddings.url,
    EMBEDDING_MODEL: 'nomic-embed-text',
    EMBEDDING_DIMENSIONS: '768',
    ...limits,
  };
  const forge = await startTestApp({ settings, ownEmbeddings: true });
  closing.push(() => forge.close());
  // at the start, the probes are embedded ahead
  await expect.poll(() => embeddings.requests.length).toBe(1);
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  await forge.upload('p', { 'notes.md': '# Notes\n\nDana decides.\n' }, { prefer: 'wait=0' });
  return { forge, file: async () => (await forge.call('GET', '/projects/p/files/notes.md')).body };
}

it('shows on a file that it waits for the limit of a minute', async () => {
  const { file } = await start({ EMBEDDING_REQUESTS_PER_MINUTE: '1' });
  await expect.poll(async () => (await file()).waiting_on_rate_limit).toBe(true);
  expect(await file()).toMatchObject({ status: 'in_progress', retry_at: expect.any(String) });
});

it('puts a file off for the limit of a day, without counting the attempt, and says so', async () => {
  const { forge, file } = await start({ EMBEDDING_REQUESTS_PER_DAY: '1' });
  await expect.poll(async () => (await file()).last_error?.message).toMatch(/used up/);
  expect(await file()).toMatchObject({ status: 'in_progress', waiting_on_rate_limit: true });
  const { rows } = await forge.db.query("select attempts from jobs where kind = 'ingest_file'", []);
  expect(rows).toEqual([{ attempts: 0 }]);
  const search = await forge.call('POST', '/projects/p/search', { query: 'Who decides?' });
  expect(search.body.strategy).toBe('lexical_fallback');
});
