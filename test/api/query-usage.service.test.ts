import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { EmbeddingError } from '../../src/embeddings/model.ts';
import { createFakeEmbeddingModel } from '../fakes/embedding-model.ts';
import { startTestApp } from '../helpers/app.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { ROUTE, startKeyedApp } from '../helpers/keyed-app.ts';

// What embedding costs besides documents: queries, and the probes at the start.

let calls: { name: string; input: object }[] = [];
let answers = 0;
let route: object = ROUTE;
let projects = 0;
let project: string;
let app: Awaited<ReturnType<typeof startKeyedApp>>;
beforeAll(async () => {
  app = await startKeyedApp(
    () => (answers++ === 0 && calls.length > 0 ? { toolCalls: calls } : { text: 'Noted.' }),
    () => ({ json: route }),
  );
});
afterAll(() => app.close());
beforeEach(async () => {
  [calls, answers, route] = [[], 0, ROUTE];
  project = `queries-${++projects}`;
  await app.forge.call('POST', '/projects', { id: project, name: 'P' });
  await app.forge.upload(project, { 'people.md': '# People\n\nDana decides on the budget.\n' });
});

const post = (path: string, body: object) => app.forge.call('POST', `/projects/${project}${path}`, body);
const booked = async () => {
  const { body } = await app.forge.call('GET', `/projects/${project}/usage`);
  const entries: { phase: string }[] = body.by_phase;
  return entries.find(({ phase }) => phase === 'embed_queries');
};

it('books searches and questions to a file, but not what is remembered', async () => {
  expect(await booked()).toBeUndefined();
  const search = { query: `Who decides in ${project}?` };
  await post('/search', search);
  const once = await booked();
  expect(once).toMatchObject({ calls: 1, output_tokens: 0 });
  expect(once).toHaveProperty('input_tokens', expect.any(Number));
  await post('/search', search);
  await post('/search', { query: 'Only words', mode: 'lexical' });
  expect(await booked()).toEqual(once);
  await post('/files/people.md/sections', { query: `What does Dana do in ${project}?` });
  expect(await booked()).toMatchObject({ calls: 2 });
});

it('shows a query in the usage of its turn, those of its tools too, and counts each once', async () => {
  calls = [
    { name: 'search_documents', input: { query: `budget of ${project}` } },
    { name: 'find_sections', input: { filename: 'people.md', query: `Dana of ${project}` } },
  ];
  const { body: turn } = await post('/turns', { message: `Who decides on the budget of ${project}?` });
  const own = turn.usage.by_phase.embed_queries;
  expect(own).toMatchObject({ model: 'voyage-3.5-lite', calls: 3 });
  expect(own.input_tokens).toBeGreaterThan(0);
  expect(own.cost_usd).toBeGreaterThanOrEqual(0);
  expect(await booked()).toMatchObject({ calls: 3, input_tokens: own.input_tokens });
});

it('embeds the probes in one call, once for a database', async () => {
  const db = await openTestDatabase();
  const kept = { ...db, close: async () => undefined };
  const start = async (fail?: Error) => {
    const model = createFakeEmbeddingModel();
    model.failWith(fail);
    const forge = await startTestApp({ overrides: { embeddingModel: model, db: kept } });
    return { forge, model };
  };
  const cached = async () =>
    (
      await db.query<{ n: number }>(
        "select count(*)::int as n from embedding_cache where input_hash like 'query:%'",
      )
    ).rows[0]?.n;

  const broken = await start(new EmbeddingError('down', { retryable: true }));
  await expect.poll(() => broken.model.calls.length).toBe(1);
  expect((await broken.forge.call('GET', '/healthz')).status).toBe(200);
  await broken.forge.close();
  expect(await cached()).toBe(0);

  const first = await start();
  await expect.poll(cached).toBe(12);
  expect(first.model.calls.map((texts) => texts.length)).toEqual([12]);
  const metrics = (await first.forge.call('GET', '/metrics')).text;
  expect(metrics).toContain('forge_embedding_calls_total{input="query"} 1');
  expect(metrics).toContain('forge_embedding_tokens_total{input="query"} 12');
  await first.forge.close();

  const second = await start();
  await second.forge.call('POST', '/projects', { id: 'q', name: 'Q' });
  await second.forge.close();
  expect(second.model.calls).toEqual([]);
  await db.close();
});
