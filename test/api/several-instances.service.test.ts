import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { fakeEmbeddingModel } from '../fakes/embedding-model.ts';
import { fakeLanguageModel, routeReply } from '../fakes/language-model.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { gate } from '../helpers/gate.ts';
import { connectMcp } from '../helpers/mcp.ts';
import { openStream } from '../helpers/sse.ts';

// that a turn or a run is cancelled through another instance has files of its own

const embeddingModel = fakeEmbeddingModel();
const model = { asked: gate(), open: gate(), calls: 0 };
let opened: Database;
let here: TestApp;
let there: TestApp;
let urls: { here: string; there: string };

beforeAll(async () => {
  opened = await openTestDatabase();
  const db = { ...opened, close: async () => undefined };
  const smallModel = fakeLanguageModel(() => ({ text: routeReply() }));
  const answerModel = fakeLanguageModel(async ({ onText }) => {
    model.calls += 1;
    onText?.('Dana ');
    model.asked.open();
    await model.open.opened;
    onText?.('decides.');
    return { text: 'Dana decides.' };
  });
  const overrides = { db, embeddingModel, smallModel, answerModel };
  here = await startTestApp({ overrides });
  there = await startTestApp({ overrides });
  const listen = ({ app }: TestApp) => app.listen({ host: '127.0.0.1', port: 0 });
  urls = { here: await listen(here), there: await listen(there) };
  await here.call('POST', '/projects', { id: 'p', name: 'P' });
});
afterAll(async () => {
  await here.close();
  await there.close();
  await opened.close();
});

it('share the queue: each file is ingested once, by whichever has room', async () => {
  const names = Array.from({ length: 8 }, (_, number) => `note-${number}.md`);
  const uploads = names.map((name, number) =>
    (number % 2 === 0 ? here : there).upload('p', { [name]: `# ${name}\n\nThe valve of ${name} leaks.\n` }),
  );
  for (const { status, body } of await Promise.all(uploads)) {
    expect([status, body.status, body.attempt]).toEqual([201, 'completed', 1]);
  }
  await here.settle();
  for (const name of names) {
    const texts = embeddingModel.calls.flat().filter((text) => text.includes(`The valve of ${name} leaks`));
    expect(texts).toHaveLength(1);
  }
});

it('tell the events of a turn that runs in another, from any number on, and its answer under its key', async () => {
  const key = { 'idempotency-key': 'one-turn' };
  const message = { message: 'Who decides?' };
  const headers = { 'content-type': 'application/json', ...key };
  const own = await openStream(`${urls.here}/projects/p/turns`, {
    method: 'POST',
    headers,
    body: JSON.stringify(message),
  });
  await model.asked.opened;
  const followed = await openStream(`${urls.there}/projects/p/turns/1/events`);
  const assembled = await followed.until('context.assembled');
  const repeated = there.call('POST', '/projects/p/turns', message, key);
  const resumed = await openStream(`${urls.there}/projects/p/turns/1/events`, {
    headers: { 'last-event-id': String(assembled.id) },
  });
  model.open.open();
  const events = await own.all();
  expect(events.at(-1)?.event).toBe('turn.completed');
  expect(await followed.all()).toEqual(events);
  expect(await resumed.all()).toEqual(events.filter(({ id }) => id > assembled.id));
  expect((await repeated).body).toMatchObject({ status: 'completed', attempt: 1 });
  expect(model.calls).toBe(1);
});

it('repeat an answer that another one gave', async () => {
  const key = { 'idempotency-key': 'one-project' };
  const first = await here.call('POST', '/projects', { name: 'Twice' }, key);
  const again = await there.call('POST', '/projects', { name: 'Twice' }, key);
  expect(again).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } });
  expect(again.text).toBe(first.text);
});

it('know only their own sessions of MCP, and say so that a client begins anew', async () => {
  const { client, transport } = await connectMcp(urls.here);
  const elsewhere = await fetch(`${urls.there}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': transport.sessionId ?? '',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  await elsewhere.text();
  expect(elsewhere.status).toBe(404);
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  await client.close();
});

it('know soon of a key that was revoked through another', async () => {
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  const made = await here.call('POST', '/keys', { name: 'Admin', scopes: ['service'] });
  const admin = bearer(made.body.key);
  const { body } = await here.call('POST', '/keys', { name: 'Short', scopes: ['read'] }, admin);
  const elsewhere = async () => (await there.call('GET', '/projects', undefined, bearer(body.key))).status;
  expect(await elsewhere()).toBe(200);
  expect((await here.call('DELETE', `/keys/${body.id}`, undefined, admin)).status).toBe(200);
  // a key is believed for a second
  await expect.poll(elsewhere).toBe(401);
});
