import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fakeEmbeddingModel } from '../fakes/embedding-model.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';

// Long enough that nothing begins by itself while a test runs: what is due is looked up, and made due by hand.
const DEBOUNCE_S = 60;
const INTERVAL_S = 360;

const kept = 'The plan has a first part that nobody touches. '.repeat(30);
const other = 'Its second part is written again and again. '.repeat(30);
const textOf = (edit: number) =>
  `# Plan\n\n${kept}\n\n# Edited\n\nThis is edit ${edit}, and so it goes on. ${other}\n`;

let forge: TestApp;
const embeddingModel = fakeEmbeddingModel();
let project: string;
let count = 0;
beforeAll(async () => {
  forge = await startTestApp({
    settings: { EDIT_DEBOUNCE_MS: String(DEBOUNCE_S * 1_000), EDIT_INTERVAL_MS: String(INTERVAL_S * 1_000) },
    overrides: { embeddingModel },
  });
});
afterAll(() => forge.close());
beforeEach(async () => {
  project = `edits-${++count}`;
  await forge.call('POST', '/projects', { id: project, name: 'Edits' });
  await forge.upload(project, { 'plan.md': textOf(0) });
});

const url = (part = '') => `/projects/${project}/files/plan.md${part}`;
async function put(edit: number) {
  const response = await forge.app.inject({
    method: 'PUT',
    url: url('/content'),
    headers: { prefer: 'respond-async' },
    payload: textOf(edit),
  });
  return { status: response.statusCode, body: response.json() };
}
/** Seconds until the file's rebuild is due. */
async function dueIn(): Promise<number[]> {
  const { rows } = await forge.db.query<{ seconds: number }>(
    `select extract(epoch from run_at - now())::float8 as seconds from jobs
     where project_id = $1 and kind = 'ingest_file'`,
    [project],
  );
  return rows.map(({ seconds }) => seconds);
}
const makeDue = () => forge.db.query('update jobs set run_at = now() where project_id = $1', [project]);
const age = (column: 'edited_since' | 'rebuilt_at', seconds: number) =>
  forge.db.query(`update files set ${column} = now() - $2 * interval '1 second' where project_id = $1`, [
    project,
    seconds,
  ]);
const completed = () =>
  expect.poll(async () => (await forge.call('GET', url())).body.status, { interval: 25 }).toBe('completed');

describe('edits close after each other', () => {
  it('are one rebuild, of the last of them, that embeds what changed only', async () => {
    await age('rebuilt_at', INTERVAL_S);
    const before = embeddingModel.calls.length;
    for (const edit of [1, 2, 3, 4]) expect((await put(edit)).status).toBe(202);
    const due = await dueIn();
    expect(due).toHaveLength(1);
    expect(due[0]).toBeGreaterThan(DEBOUNCE_S * 0.5);
    expect(due[0]).toBeLessThanOrEqual(DEBOUNCE_S);
    await makeDue();
    await completed();
    const { body } = await forge.call('GET', url());
    expect(body).toMatchObject({ version: 5, searchable_version: 5 });
    const embedded = embeddingModel.calls.slice(before).flat();
    expect(embedded.filter((text) => /This is edit \d/.test(text))).toEqual([
      expect.stringContaining('This is edit 4'),
    ]);
    expect(embedded.some((text) => text.includes('nobody touches'))).toBe(false);
  });

  it('do not put a rebuild off for ever', async () => {
    await age('rebuilt_at', INTERVAL_S);
    await put(1);
    await age('edited_since', INTERVAL_S);
    await put(2);
    expect((await dueIn())[0]).toBeLessThanOrEqual(0);
  });

  it('make one rebuild in a while', async () => {
    // the upload has just been read
    await put(1);
    expect((await dueIn())[0]).toBeGreaterThan(INTERVAL_S * 0.5);
  });
});

describe('while a rebuild is due', () => {
  it('the version before is read, and says that it is stale', async () => {
    const fresh = await forge.call('GET', url('/outline'));
    const [, edited] = fresh.body.nodes;
    await put(1);
    const stale = await forge.call('GET', url('/outline'), undefined, {
      'if-none-match': fresh.headers.etag,
    });
    expect(stale.status).toBe(200);
    expect(stale.body).toMatchObject({
      state: 'stale',
      is_stale: true,
      version: 1,
      retry_after_ms: expect.any(Number),
      nodes: fresh.body.nodes,
    });
    const again = await forge.call('GET', url('/outline'), undefined, {
      'if-none-match': stale.headers.etag,
    });
    expect(again.status).toBe(304);
    const pointer = await forge.call(
      'GET',
      `/projects/${project}/pointers/${encodeURIComponent(edited.pointer_id)}`,
    );
    expect(pointer.body).toMatchObject({ state: 'stale', is_stale: true, version: 1 });
    expect(pointer.body.text).toContain('This is edit 0');
    const found = await forge.call('POST', url('/sections'), { query: 'edit goes on' });
    expect(found.body).toMatchObject({ state: 'stale', is_stale: true, version: 1 });
    await makeDue();
    await completed();
    expect((await forge.call('GET', url('/outline'))).body).toMatchObject({ state: 'ready', version: 2 });
  });

  it('a file that is read for the first time is pending', async () => {
    await forge.db.query('update files set searchable_version = null, status = $2 where project_id = $1', [
      project,
      'queued',
    ]);
    const { body } = await forge.call('GET', url('/outline'));
    expect(body).toMatchObject({
      state: 'pending',
      nodes: [],
      retry_after_ms: expect.any(Number),
      version: null,
    });
    const found = await forge.call('POST', url('/sections'), { query: 'edit' });
    expect(found.body).toMatchObject({ state: 'pending', strategy: 'none', pointers: [] });
  });
});
