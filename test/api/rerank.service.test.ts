import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type FakeReranker, type RerankScript, startFakeReranker } from '../fakes/rerank-server.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';

// A reranker from the settings to the answer: the real client against a server that speaks Cohere's wire format.

let server: FakeReranker;
let forge: TestApp;
let script: RerankScript | undefined;
let projects = 0;
let project: string;
beforeAll(async () => {
  // it is fond of rain, which nothing else is
  const score = (_: string, document: string) => (document.includes('rain') ? 0.9 : 0.1);
  server = await startFakeReranker({ format: 'cohere', apiKey: 'key', score, script: () => script });
  forge = await startTestApp({
    settings: {
      RERANK_PROVIDER: 'cohere',
      RERANK_BASE_URL: server.url,
      RERANK_API_KEY: 'key',
      RERANK_MODEL: 'rerank-v4.0-fast',
      // a machine that is busy with tests is slow
      RERANK_TIMEOUT_MS: '10000',
    },
  });
  await forge.uploadToLibrary({ 'shared.md': '# Shared\n\nThe budget of others is larger.\n' });
});
afterAll(async () => {
  await forge.close();
  await server.close();
});
beforeEach(async () => {
  script = undefined;
  server.requests.length = 0;
  project = `p${++projects}`;
  await forge.call('POST', '/projects', { id: project, name: 'P' });
  await forge.upload(project, {
    'notes.md': '# Budget\n\nDana decides on the budget of 40,000 euros.\n',
    'minutes.md': '# Weather\n\nThe budget for rain coats is small.\n',
  });
});

const search = async (body: object = {}) =>
  (
    await forge.call('POST', `/projects/${project}/search`, {
      query: 'Who decides on the budget?',
      min_score: 0,
      ...body,
    })
  ).body;
const names = ({ data }: { data: { filename: string }[] }) => data.map(({ filename }) => filename);

it('orders what a search has found, and says so', async () => {
  expect((await forge.call('GET', '/version')).body.rerank).toEqual({
    provider: 'cohere',
    model: 'rerank-v4.0-fast',
  });
  const found = await search({ explain: true });
  expect(names(found)).toEqual(['minutes.md', 'notes.md']);
  expect(found).toMatchObject({
    strategy: 'hybrid+rerank',
    rerank: { model: 'rerank-v4.0-fast', outcome: 'done', candidates: 2 },
  });
  const [first, second] = found.data;
  expect(first.explain).toMatchObject({ rerank_rank: 1, rerank_score: 0.9 });
  expect(second.explain).toMatchObject({ rerank_rank: 2, rerank_score: 0.1 });
  expect(first.score).toBeGreaterThanOrEqual(second.score);
  expect(server.requests[0]).toMatchObject({
    query: 'Who decides on the budget?',
    documents: expect.arrayContaining([expect.stringContaining('Dana decides')]),
  });
  expect((await search({ mode: 'lexical' })).strategy).toBe('lexical+rerank');
});

it('does without where nobody wants it, and calls nobody then', async () => {
  const found = await search({ rerank: false, explain: true });
  expect(names(found)).toEqual(['notes.md', 'minutes.md']);
  expect(found).toMatchObject({ strategy: 'hybrid', rerank: null });
  expect(found.data[0].explain).toMatchObject({ rerank_rank: null, rerank_score: null });
  expect(server.requests).toEqual([]);
});

it('asks once about project and library together, and keeps the places of the project', async () => {
  const found = await search({ sources: ['project', 'library'], limit: 2 });
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]?.documents).toHaveLength(3);
  expect(found.data[0]).toMatchObject({ filename: 'minutes.md', source: 'project' });
});

it('books what it costs', async () => {
  await search();
  const { body } = await forge.call('GET', `/projects/${project}/usage`);
  expect(body.entries).toContainEqual(
    expect.objectContaining({ phase: 'rerank', model: 'rerank-v4.0-fast', calls: 1, cost_usd: 0.002 }),
  );
});

it('orders what a turn looks up, with its receipt saying so', async () => {
  const { body } = await forge.call('POST', `/projects/${project}/turns`, {
    message: 'Who decides on the budget?',
    retrieval: 'always',
    min_score: 0,
  });
  expect(body.usage.by_phase.rerank).toMatchObject({ calls: 1, cost_usd: 0.002 });
  const receipt = (await forge.call('GET', `/projects/${project}/turns/1/context`)).body;
  expect(receipt.retrieval).toMatchObject({
    documents: 'hybrid+rerank',
    rerank: { outcome: 'done', candidates: 2 },
  });
  const documents = receipt.sections.find(({ name }: { name: string }) => name === 'retrieved_documents');
  expect(documents.text.indexOf('rain coats')).toBeGreaterThan(0);
  expect(documents.text.indexOf('rain coats')).toBeLessThan(documents.text.indexOf('Dana decides'));
});

it('serves the tools that search', async () => {
  const { body } = await forge.call('POST', `/projects/${project}/tools/search_documents`, {
    query: 'Who decides on the budget?',
  });
  expect(body.passages[0]).toMatchObject({ filename: 'minutes.md' });
});

it('gives the order of the search when it fails, says which setting is to be changed, and recovers', async () => {
  script = { kind: 'error', status: 404, message: 'model not found' };
  const found = await search();
  expect(names(found)).toEqual(['notes.md', 'minutes.md']);
  expect(found).toMatchObject({ strategy: 'hybrid', rerank: { outcome: 'failed', candidates: 2 } });
  const { body } = await forge.call('GET', '/readyz');
  expect(body.status).toBe('degraded');
  expect(body.reasons).toMatchObject([
    { phase: 'rerank', problem: 'settings', detail: expect.stringContaining('RERANK_MODEL') },
  ]);
  const metrics = (await forge.call('GET', '/metrics')).text;
  expect(metrics).toMatch(/forge_provider_fallbacks_total\{phase="rerank"\} 1/);
  script = undefined;
  expect((await search()).strategy).toBe('hybrid+rerank');
  expect((await forge.call('GET', '/readyz')).body.reasons).toEqual([]);
});
