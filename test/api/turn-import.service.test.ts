import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { idle } from '../helpers/idle.ts';
import { heldFor, storeTurn } from '../helpers/rows/turn.ts';

let forge: TestApp;
let project: string;
let count = 0;
beforeAll(async () => {
  forge = await startTestApp();
});
afterAll(() => forge.close());
beforeEach(async () => {
  project = `talk-${++count}`;
  await forge.call('POST', '/projects', { id: project, name: 'Talk' });
});

const CONVERSATION = [
  { role: 'assistant', content: 'Welcome. What is it about?' },
  { role: 'user', content: 'Penguins cancel their ice deliveries.', created_at: '2025-03-01T09:00:00Z' },
  { role: 'assistant', content: 'Since when do they cancel?', created_at: '2025-03-01T09:00:07Z' },
  { role: 'user', content: 'Since the price went up in January.' },
  { role: 'assistant', content: 'Who decided on the price?' },
];
const jsonl = (messages: unknown[]) => messages.map((message) => JSON.stringify(message)).join('\n');

const send = async (payload: string, { type = 'application/jsonl', more = {}, to = project } = {}) => {
  const response = await forge.app.inject({
    method: 'POST',
    url: `/projects/${to}/turns:import`,
    headers: { 'content-type': type, ...more },
    payload,
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
};

it('makes completed turns that are remembered, found and carried on', async () => {
  const { status, headers, body } = await send(jsonl(CONVERSATION));
  expect([status, headers.location]).toEqual([201, `/projects/${project}/turns/1`]);
  expect(body).toEqual({ object: 'turns_import', imported: 3, first_turn: 1, last_turn: 3 });
  const turns = (await forge.call('GET', `/projects/${project}/turns`)).body.data;
  expect(turns).toMatchObject([
    { turn_number: 1, status: 'completed', priming: true, message: '', routing: null, model: null },
    {
      turn_number: 2,
      message: 'Penguins cancel their ice deliveries.',
      response: 'Since when do they cancel?',
      created_at: '2025-03-01T09:00:00.000Z',
      completed_at: '2025-03-01T09:00:07.000Z',
    },
    { turn_number: 3, priming: false },
  ]);
  await idle(forge);
  const found = await forge.call('POST', `/projects/${project}/search`, {
    query: 'penguins',
    kinds: ['turns'],
  });
  expect(found.body.data[0]).toMatchObject({ turn_number: 2, summary: expect.any(String) });
  expect((await forge.call('GET', `/projects/${project}`)).body.turn_count).toBe(3);
  expect((await forge.call('GET', `/projects/${project}/turns/2/context`)).status).toBe(404);
  const next = await forge.call('POST', `/projects/${project}/turns`, { message: 'The board did.' });
  expect(next.body).toMatchObject({ turn_number: 4, status: 'completed' });
  const more = await send(jsonl(CONVERSATION.slice(1)), { type: 'application/x-ndjson; charset=utf-8' });
  expect(more.body).toMatchObject({ first_turn: 5, last_turn: 6 });
});

it('takes all or nothing', async () => {
  const wrong = await send(`${jsonl(CONVERSATION)}\n{"role":"user"}`);
  expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_request']);
  expect(wrong.body.errors).toMatchObject([{ pointer: '/6/content' }]);
  expect((await forge.call('GET', `/projects/${project}/turns`)).body.data).toEqual([]);
  await send(jsonl(CONVERSATION));
  const opening = await send(jsonl(CONVERSATION));
  expect(opening.body.detail).toMatch(/begins with a reply/);
});

it('is refused while a turn runs, by another type, and by an id that no project has', async () => {
  await storeTurn(
    forge.db,
    { workspaceId: 'default', projectId: project },
    { turnNumber: 1, ...heldFor(60) },
  );
  expect((await send(jsonl(CONVERSATION.slice(1)))).body.code).toBe('turn_in_progress');
  expect((await send('{}', { type: 'application/json' })).body.code).toBe('unsupported_request_type');
  expect((await send(jsonl(CONVERSATION), { to: 'none' })).body.code).toBe('project_not_found');
  expect((await send('x'.repeat(17 * 1024 * 1024))).body.code).toBe('body_too_large');
});

it('is done once under an idempotency key', async () => {
  const more = { 'idempotency-key': `talk-${count}` };
  const first = await send(jsonl(CONVERSATION), { more });
  const again = await send(jsonl(CONVERSATION), { more });
  expect(again.body).toEqual(first.body);
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect((await forge.call('GET', `/projects/${project}/turns`)).body.data).toHaveLength(3);
});
