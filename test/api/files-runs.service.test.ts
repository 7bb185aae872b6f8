import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddingError } from '../../src/embeddings/model.ts';
import { createFakeEmbeddingModel } from '../fakes/embedding-model.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { gatedEmbeddingModel } from '../helpers/gated-embedding.ts';

const ASYNC = { prefer: 'respond-async' };
const PATIENT = { interval: 20 };

let forge: TestApp;
let project: string;
let count = 0;
// its own words for each project: what was embedded once is not embedded again
let markdown: string;
const url = (name: string, action = '') => `/projects/${project}/files/${encodeURIComponent(name)}${action}`;
const file = async (name: string) => (await forge.call('GET', url(name))).body;
/** Settles when a first version is found by its words, and waits for its vectors. */
const words = (name: string) =>
  expect.poll(async () => (await file(name)).searchable_version, PATIENT).toBe(1);
const begin = async () => {
  project = `runs-${++count}`;
  markdown = `# Notes\n\nThe budget of ${project} is 40,000 euros until March, ticket FIN-2291.\n`;
  await forge.call('POST', '/projects', { id: project, name: 'Runs' });
};
/** All that can be found, however little it bears on the query. */
const hits = async (query: string) =>
  (await forge.call('POST', `/projects/${project}/search`, { query, min_score: 0 })).body.data.map(
    (hit: { text: string }) => hit.text,
  );
const jobs = async () =>
  (await forge.db.query<{ kind: string }>('select kind from jobs where project_id = $1', [project])).rows;

/** The events of a stream that has ended. */
function eventsOf(text: string) {
  return text
    .split('\n\n')
    .filter((block) => block.includes('event: '))
    .map((block) => {
      const of = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
      return { id: Number(of('id')), event: of('event'), data: JSON.parse(of('data')) };
    });
}

describe('while it is worked on', () => {
  const model = gatedEmbeddingModel();
  beforeAll(async () => {
    forge = await startTestApp({ overrides: { embeddingModel: model } });
  });
  afterAll(() => forge.close());
  beforeEach(begin);

  it('an ingestion can be cancelled: bytes kept, late results thrown away, ready to be retried', async () => {
    const embedding = model.shut();
    await forge.upload(project, { 'notes.md': markdown }, ASYNC);
    const { signal } = await embedding;
    await words('notes.md');
    const cancelled = await forge.call('POST', url('notes.md', '/cancel'));
    expect(cancelled.status).toBe(200);
    expect(cancelled.body).toMatchObject({
      status: 'failed',
      stage: null,
      last_error: { code: 'cancelled', retryable: true },
      // what has come stays
      searchable_version: 1,
      vectors_pending: 1,
      summary_status: 'failed',
    });
    // the call under way is told
    await expect.poll(() => signal?.aborted, PATIENT).toBe(true);
    model.open();
    expect(await jobs()).toEqual([]);
    expect((await forge.call('GET', url('notes.md', '/content'))).text).toBe(markdown);
    expect((await forge.call('POST', url('notes.md', '/cancel'))).body.code).toBe('file_not_cancellable');
    expect((await forge.call('POST', url('notes.md', '/retry'))).status).toBe(202);
    await expect.poll(async () => (await file('notes.md')).status, PATIENT).toBe('completed');
    expect((await file('notes.md')).last_error).toBeNull();
    expect(await hits('FIN-2291')).toHaveLength(1);
  });

  it('a cancelled new version leaves the one before searchable', async () => {
    await forge.upload(project, { 'notes.md': markdown });
    const embedding = model.shut();
    await forge.upload(project, { 'notes.md': markdown.replace('40,000', '50,000') }, ASYNC);
    await embedding;
    const { body } = await forge.call('POST', url('notes.md', '/cancel'));
    model.open();
    expect(body).toMatchObject({
      status: 'failed',
      version: 2,
      searchable_version: 1,
      summary_status: 'completed',
    });
    expect((await hits('budget'))[0]).toContain('40,000');
  });

  it('what a worker brings after its run was cancelled is refused, even if it never heard of it', async () => {
    const embedding = model.shut();
    await forge.upload(project, { 'notes.md': markdown }, ASYNC);
    await embedding;
    await words('notes.md');
    // as another process would: the worker here is not told
    await forge.db.query(
      `update files set run = run + 1, status = 'failed', stage = null where project_id = $1`,
      [project],
    );
    model.open();
    await expect.poll(jobs, PATIENT).toEqual([]);
    expect(await file('notes.md')).toMatchObject({
      status: 'failed',
      vectors_pending: 1,
    });
    const { rowCount } = await forge.db.query('select from leaf_vectors where project_id = $1', [project]);
    expect(rowCount).toBe(0);
  });

  it('a delete wins', async () => {
    const embedding = model.shut();
    await forge.upload(project, { 'notes.md': markdown }, ASYNC);
    await embedding;
    await words('notes.md');
    expect((await forge.call('DELETE', url('notes.md'))).body.removed).toMatchObject({
      versions: 1,
      leaves: 1,
      vectors: 0,
    });
    model.open();
    // another file goes through the same worker, so whatever came of the first one has come
    await forge.upload(project, { 'other.md': '# Other\n\nNothing.' });
    expect((await file('notes.md')).code).toBe('file_not_found');
    expect(await hits('FIN-2291')).toEqual([expect.stringContaining('Nothing.')]);
    expect(await jobs()).toEqual([]);
  });

  it('its events follow it to the end', async () => {
    const embedding = model.shut();
    await forge.upload(project, { 'notes.md': markdown }, ASYNC);
    const stream = forge.call('GET', url('notes.md', '/events'));
    await embedding;
    model.open();
    const { status, headers, text } = await stream;
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/event-stream');
    const events = eventsOf(text);
    expect(events[0]).toMatchObject({ event: 'file.progress', data: { object: 'file', name: 'notes.md' } });
    expect(events.at(-1)).toMatchObject({
      event: 'file.completed',
      data: { status: 'completed', chunk_count: 1 },
    });
    expect(events.filter(({ event }) => event !== 'file.progress')).toHaveLength(1);
    const again = await forge.call('GET', url('notes.md', '/events'), undefined, {
      'last-event-id': String(events.at(-1)?.id),
    });
    expect(again.status).toBe(204);
  });

  it('its events end when it is deleted', async () => {
    const embedding = model.shut();
    await forge.upload(project, { 'notes.md': markdown }, ASYNC);
    await embedding;
    const stream = forge.call('GET', url('notes.md', '/events'));
    await forge.call('DELETE', url('notes.md'));
    model.open();
    const { status, text } = await stream;
    // the deletion may come first
    if (status === 200)
      expect(eventsOf(text).at(-1)).toMatchObject({ event: 'file.deleted', data: { name: 'notes.md' } });
    else expect(status).toBe(404);
  });

  it('a pause that the provider asks for is shown until it goes on', async () => {
    const embedding = model.shut();
    await forge.upload(project, { 'notes.md': markdown }, ASYNC);
    const { onWait } = await embedding;
    onWait?.({ seconds: 30, rateLimited: true });
    await expect.poll(async () => (await file('notes.md')).waiting_on_rate_limit, PATIENT).toBe(true);
    const waiting = await file('notes.md');
    expect(waiting).toMatchObject({ status: 'in_progress', stage: 'embedding' });
    expect(new Date(waiting.retry_at).getTime()).toBeGreaterThan(
      new Date(waiting.updated_at).getTime() + 20_000,
    );
    model.open();
    await expect.poll(async () => (await file('notes.md')).status, PATIENT).toBe('completed');
    expect(await file('notes.md')).toMatchObject({ waiting_on_rate_limit: false, retry_at: null });
  });
});

describe('when the embedding provider fails', () => {
  const model = createFakeEmbeddingModel();
  beforeAll(async () => {
    forge = await startTestApp({ overrides: { embeddingModel: model } });
  });
  afterAll(() => forge.close());
  beforeEach(begin);
  const due = () => forge.db.query('update jobs set run_at = now() where project_id = $1', [project]);

  it('waits as long as is asked, in progress and with the reason, then goes on', async () => {
    model.failWith(
      new EmbeddingError('Voyage answered 429', { retryable: true, status: 429, retryAfterSeconds: 120 }),
    );
    await forge.upload(project, { 'notes.md': markdown }, ASYNC);
    await expect.poll(async () => (await file('notes.md')).retry_at, PATIENT).not.toBeNull();
    const waiting = await file('notes.md');
    expect(waiting).toMatchObject({
      status: 'in_progress',
      stage: 'embedding',
      attempt: 1,
      waiting_on_rate_limit: true,
      last_error: { code: 'embedding_unavailable', retryable: true },
    });
    // the job is put off behind its file
    const gap = async () => {
      const { rows } = await forge.db.query<{ run_at: Date }>(
        'select run_at from jobs where project_id = $1',
        [project],
      );
      return Math.abs((rows[0]?.run_at.getTime() ?? 0) - new Date(waiting.retry_at).getTime());
    };
    await expect.poll(gap, PATIENT).toBeLessThan(5_000);
    expect(new Date(waiting.retry_at).getTime()).toBeGreaterThan(
      new Date(waiting.updated_at).getTime() + 100_000,
    );

    model.failWith(undefined);
    await due();
    await expect.poll(async () => (await file('notes.md')).status, PATIENT).toBe('completed');
    expect(await file('notes.md')).toMatchObject({
      attempt: 2,
      last_error: null,
      retry_at: null,
      waiting_on_rate_limit: false,
    });
  });

  it('can be cancelled while it waits', async () => {
    model.failWith(new EmbeddingError('down', { retryable: true, retryAfterSeconds: 500 }));
    await forge.upload(project, { 'notes.md': markdown }, ASYNC);
    await expect.poll(async () => (await file('notes.md')).retry_at, PATIENT).not.toBeNull();
    const { body } = await forge.call('POST', url('notes.md', '/cancel'));
    expect(body).toMatchObject({ status: 'failed', last_error: { code: 'cancelled' }, retry_at: null });
    expect(await jobs()).toEqual([]);
  });

  it('fails for good after the last attempt; all that failed can be retried at once', async () => {
    model.failWith(new EmbeddingError('down', { retryable: true }));
    await forge.upload(project, { 'a.md': markdown, 'b.md': `${markdown}\n\nMore.` }, ASYNC);
    await forge.upload(project, {
      'bad.docx': Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(400)]),
    });
    for (const name of ['a.md', 'b.md']) {
      await expect
        .poll(async () => {
          await due();
          return (await file(name)).status;
        }, PATIENT)
        .toBe('failed');
    }
    expect(await file('a.md')).toMatchObject({
      attempt: 5,
      retry_at: null,
      last_error: { code: 'embedding_unavailable', retryable: true },
    });
    const retryAll = (query = '') => forge.call('POST', `/projects/${project}/files:retry${query}`);
    expect((await retryAll('?code=zip_bomb')).body).toEqual({ object: 'files_retried', count: 0, names: [] });

    model.failWith(undefined);
    const { status, body } = await retryAll('?code=embedding_unavailable&retryable=true');
    expect(status).toBe(202);
    expect(body).toEqual({ object: 'files_retried', count: 2, names: ['a.md', 'b.md'] });
    for (const name of ['a.md', 'b.md']) {
      await expect.poll(async () => (await file(name)).status, PATIENT).toBe('completed');
    }
    expect((await file('bad.docx')).status).toBe('failed');
    expect((await retryAll()).body.names).toEqual(['bad.docx']);
    expect((await forge.call('POST', '/projects/none/files:retry')).body.code).toBe('project_not_found');
  });

  it('shows the error of the current attempt only', async () => {
    model.failWith(new EmbeddingError('no such key', { retryable: false }));
    const failed = await forge.upload(project, { 'notes.md': markdown });
    expect(failed.body).toMatchObject({
      status: 'failed',
      attempt: 1,
      last_error: { code: 'embedding_unavailable' },
    });
    model.failWith(undefined);
    const retried = await forge.call('POST', url('notes.md', '/retry'));
    expect(retried.body).toMatchObject({ last_error: null });
    await expect.poll(async () => (await file('notes.md')).status, PATIENT).toBe('completed');
  });
});
