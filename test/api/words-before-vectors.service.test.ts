import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { EmbeddingError } from '../../src/embeddings/model.ts';
import { fakeEmbeddingModel } from '../fakes/embedding-model.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { makeDocx } from '../helpers/docx.ts';
import { gatedEmbeddingModel } from '../helpers/gated-embedding.ts';

const ASYNC = { prefer: 'respond-async' };
const PATIENT = { interval: 20 };
/** Two calls to the model hold 100 each, the third the rest. */
const SECTIONS = 250;
const CUT = `?chunking=${encodeURIComponent('{"strategy":"hierarchical","leaf_min_tokens":1}')}`;

let forge: TestApp;
let project = '';
let count = 0;
const model = gatedEmbeddingModel();

beforeAll(async () => {
  forge = await startTestApp({ overrides: { embeddingModel: model } });
});
afterAll(() => forge.close());
beforeEach(async () => {
  project = `early-${++count}`;
  await forge.call('POST', '/projects', { id: project, name: 'Early' });
});

/** A document of its own words for each project: what was embedded once is not embedded again. */
const document = (last = 'The harbour master is Ines Okafor.') =>
  Array.from(
    { length: SECTIONS },
    (_, at) =>
      `# Quay ${at} of ${project}\n\n${at === SECTIONS - 1 ? last : `The ferry sails at ${at} o'clock.`}`,
  ).join('\n\n');

const path = (name: string) => `/projects/${project}/files/${name}`;
const file = async (name: string, app = forge) => (await app.call('GET', path(name))).body;
const search = async (query: string, mode = 'hybrid', app = forge) =>
  (await app.call('POST', `/projects/${project}/search`, { query, mode, min_score: 0 })).body;
const vectors = async () =>
  (
    await forge.db.query<{ n: number }>('select count(*)::int as n from leaf_vectors where project_id = $1', [
      project,
    ])
  ).rows[0]?.n;
const rewritten = (words: string) => Buffer.from(document(words));
/** Settles when so many leaves of the file have no vector. */
const pending = (name: string, leaves: number) =>
  expect.poll(async () => (await file(name)).vectors_pending, PATIENT).toBe(leaves);
const ended = (name: string, status = 'completed') =>
  expect.poll(async () => (await file(name)).status, PATIENT).toBe(status);

/** Uploads a document whose first call for vectors is held back, and waits until its words are there. */
async function wordsOf(name: string): Promise<void> {
  const asked = model.shut();
  await forge.upload(project, { [name]: document() }, ASYNC, CUT);
  await asked;
  await pending(name, SECTIONS);
}

it('finds a file by its words before its vectors are there, and by its meaning as they come', async () => {
  await wordsOf('port.md');
  expect(await file('port.md')).toMatchObject({
    status: 'in_progress',
    stage: 'embedding',
    searchable_version: 1,
    chunk_count: SECTIONS,
    progress: { chunks_done: 0, chunks_total: SECTIONS },
    summary: null,
  });
  for (const mode of ['hybrid', 'semantic']) {
    const found = await search('Who is Okafor?', mode);
    expect(found).toMatchObject({ strategy: 'lexical_fallback', vectors_pending: SECTIONS });
    expect(found.data[0].text).toContain('Ines Okafor');
  }
  expect((await forge.call('GET', `${path('port.md')}/outline`)).body.nodes).toHaveLength(SECTIONS);
  expect((await forge.call('GET', `${path('port.md')}/leaves?limit=5`)).body.data).toHaveLength(5);
  const turn = await forge.call('POST', `/projects/${project}/turns`, { message: 'Who is Ines Okafor?' });
  expect(turn.body).toMatchObject({ status: 'completed' });
  expect(JSON.stringify(turn.body.citations)).toContain('port.md');

  await model.next();
  await pending('port.md', SECTIONS - 100);
  expect(await vectors()).toBe(100);
  expect((await file('port.md')).progress).toEqual({ chunks_done: 100, chunks_total: SECTIONS });
  const partly = await search('The ferry sails');
  expect(partly).toMatchObject({ strategy: 'hybrid', vectors_pending: SECTIONS - 100 });

  const stream = forge.call('GET', `${path('port.md')}/events`);
  model.open();
  await ended('port.md');
  expect(await file('port.md')).toMatchObject({
    vectors_pending: 0,
    progress: { chunks_done: SECTIONS, chunks_total: SECTIONS },
    summary_status: 'completed',
  });
  expect(await vectors()).toBe(SECTIONS);
  expect(await search('The ferry sails')).toMatchObject({ strategy: 'hybrid', vectors_pending: 0 });
  const completed = (await stream).text
    .split('\n\n')
    .filter((event) => event.includes('event: file.completed'));
  expect(completed).toHaveLength(1);
  expect(completed[0]).toContain('"vectors_pending":0');
});

it('says of the files that were searched alone how many leaves have no vector', async () => {
  await forge.upload(project, { 'small.md': '# Tides\n\nThe ferry waits for the tide.' });
  await wordsOf('port.md');
  expect(await search('ferry')).toMatchObject({ strategy: 'hybrid', vectors_pending: SECTIONS });
  const small = { query: 'ferry', filters: { filenames: ['small.md'] }, min_score: 0 };
  const { body } = await forge.call('POST', `/projects/${project}/search`, small);
  expect(body).toMatchObject({ strategy: 'hybrid', vectors_pending: 0 });
  model.open();
  await ended('port.md');
});

it('an attempt that is broken off after the words goes on with the vectors that are missing', async () => {
  const db = await openTestDatabase();
  const held = gatedEmbeddingModel();
  const first = await startTestApp({
    overrides: { embeddingModel: held, db: { ...db, close: async () => {} } },
  });
  await first.call('POST', '/projects', { id: project, name: 'Broken off' });
  const asked = held.shut();
  await first.upload(project, { 'port.md': document() }, ASYNC, CUT);
  await asked;
  await held.next();
  await expect.poll(async () => (await file('port.md', first)).vectors_pending, PATIENT).toBe(150);
  await first.close();

  const model = fakeEmbeddingModel();
  // what keeps the sections would change if they were made anew
  await db.query(`update document_leaves set tokens = tokens + 1000`);
  const second = await startTestApp({ overrides: { embeddingModel: model, db } });
  try {
    expect((await search('Okafor', 'hybrid', second)).data[0].text).toContain('Okafor');
    await expect.poll(async () => (await file('port.md', second)).status, PATIENT).toBe('completed');
    expect(await file('port.md', second)).toMatchObject({ vectors_pending: 0, searchable_version: 1 });
    const embedded = model.calls.flat().filter((text) => text.includes('[Source: port.md'));
    expect(embedded).toHaveLength(150);
    const { rows } = await db.query<{ n: number }>(
      'select count(*)::int as n from document_leaves join leaf_vectors using (workspace_id, project_id, leaf_id) where tokens > 1000',
    );
    expect(rows[0]?.n).toBe(SECTIONS);
  } finally {
    await second.close();
  }
});

it('a provider that fails leaves what it has given, and the words; another attempt asks for the rest', async () => {
  let failing = true;
  const ofFile = (texts: readonly string[]) => texts.filter((text) => text.includes('[Source: port.md'));
  const model = fakeEmbeddingModel({
    fail() {
      const asked = model.calls.filter((texts) => ofFile(texts).length > 0).length;
      if (failing && asked > 1) throw new EmbeddingError('no such key', { retryable: false });
    },
  });
  const app = await startTestApp({ overrides: { embeddingModel: model } });
  try {
    await app.call('POST', '/projects', { id: project, name: 'Failing' });
    const { body } = await app.upload(project, { 'port.md': document() }, {}, CUT);
    expect(body).toMatchObject({
      status: 'failed',
      last_error: { code: 'embedding_unavailable', retryable: true },
      searchable_version: 1,
      vectors_pending: 150,
      summary_status: 'failed',
    });
    expect(await search('Okafor', 'lexical', app)).toMatchObject({ vectors_pending: 150 });
    // what was paid for is accounted for
    const paid = async () => {
      const { body: usage } = await app.call('GET', `/projects/${project}/usage`);
      return usage.by_phase.find(({ phase }: { phase: string }) => phase === 'embed_files');
    };
    expect(await paid()).toMatchObject({ calls: 1, input_tokens: 100 });
    failing = false;
    const before = model.calls.length;
    const retried = await app.call('POST', `${path('port.md')}/retry`);
    expect(retried.body).toMatchObject({ searchable_version: 1, summary_status: 'pending' });
    await expect.poll(async () => (await file('port.md', app)).status, PATIENT).toBe('completed');
    expect(await file('port.md', app)).toMatchObject({ vectors_pending: 0, summary_status: 'completed' });
    expect(await paid()).toMatchObject({ calls: 3, input_tokens: SECTIONS });
    expect(ofFile(model.calls.slice(before).flat())).toHaveLength(150);
  } finally {
    await app.close();
  }
});

it('a cancel leaves the words, and another attempt goes on with the vectors', async () => {
  await wordsOf('port.md');
  const { body } = await forge.call('POST', `${path('port.md')}/cancel`);
  expect(body).toMatchObject({
    status: 'failed',
    last_error: { code: 'cancelled' },
    vectors_pending: SECTIONS,
  });
  model.open();
  expect((await search('Okafor')).data[0].text).toContain('Okafor');
  expect((await forge.call('POST', `${path('port.md')}/retry`)).status).toBe(202);
  await ended('port.md');
  expect(await vectors()).toBe(SECTIONS);
});

it('a delete wins', async () => {
  await wordsOf('port.md');
  await model.next();
  await pending('port.md', 150);
  const { body } = await forge.call('DELETE', path('port.md'));
  expect(body.removed).toMatchObject({ leaves: SECTIONS, vectors: 100 });
  model.open();
  await forge.settle();
  expect(await vectors()).toBe(0);
  expect((await search('Okafor')).data).toEqual([]);
});

it('a newer version takes its place whole, and what has a vector already keeps it', async () => {
  await wordsOf('port.md');
  await model.next();
  await pending('port.md', 150);
  await forge.upload(project, { 'port.md': rewritten('The pilot is Bo Lindqvist.') }, ASYNC, CUT);
  await expect.poll(async () => (await file('port.md')).stage, PATIENT).toBe('embedding');
  expect(await file('port.md')).toMatchObject({ version: 2, searchable_version: 1, vectors_pending: 150 });
  expect((await search('Okafor')).data[0].text).toContain('Okafor');
  model.open();
  await ended('port.md');
  expect(await file('port.md')).toMatchObject({ searchable_version: 2, vectors_pending: 0 });
  expect(await vectors()).toBe(SECTIONS);
  const first = model.calls.flat().filter((text) => text.includes(`Quay 0 of ${project}]`));
  expect(first).toHaveLength(1);
});

it('when a newer version cannot be read, the one before gets the vectors that it lacks', async () => {
  const asked = model.shut();
  await forge.upload(project, { 'port.docx': await makeDocx(project) }, ASYNC);
  await asked;
  await expect.poll(async () => (await file('port.docx')).searchable_version, PATIENT).toBe(1);
  const { chunk_count, vectors_pending } = await file('port.docx');
  expect(vectors_pending).toBe(chunk_count);
  const broken = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(400)]);
  await forge.upload(project, { 'port.docx': broken }, ASYNC);
  model.open();
  await ended('port.docx', 'failed');
  expect(await file('port.docx')).toMatchObject({
    version: 2,
    searchable_version: 1,
    vectors_pending: 0,
    last_error: { retryable: false },
  });
  expect(await vectors()).toBe(chunk_count);
});

it('another name goes along with the vectors that there are, and those that follow', async () => {
  await wordsOf('port.md');
  await model.next();
  await pending('port.md', 150);
  expect((await forge.call('PATCH', path('port.md'), { name: 'harbour.md' })).status).toBe(200);
  model.open();
  await ended('harbour.md');
  expect(await file('harbour.md')).toMatchObject({ vectors_pending: 0, searchable_version: 1 });
  expect(await vectors()).toBe(SECTIONS);
  const { rowCount } = await forge.db.query(
    `select from document_leaves where project_id = $1 and breadcrumb not like '%harbour.md%'`,
    [project],
  );
  expect(rowCount).toBe(0);
});

it('is safe from the release before this one, which knows of no vectors that follow', async () => {
  await wordsOf('port.md');
  await forge.call('POST', `${path('port.md')}/cancel`);
  model.open();
  const as = (change: string) =>
    forge.db.query(`update files set ${change} where project_id = $1 and name = 'port.md'`, [project]);
  await as(`status = 'completed', last_error = null`);
  expect(await file('port.md')).toMatchObject({
    status: 'failed',
    last_error: { code: 'embedding_unavailable', retryable: true },
  });
  expect((await forge.call('POST', `${path('port.md')}/retry`)).status).toBe(202);
  await ended('port.md');
  expect(await vectors()).toBe(SECTIONS);
  // and it puts a whole version in the place of one that was begun
  await as('vectors_pending = 7');
  await as(`searchable_version = 2`);
  expect(await file('port.md')).toMatchObject({ vectors_pending: 0 });
});
