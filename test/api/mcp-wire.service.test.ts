import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';

// What a client that is none may send to /mcp.

let forge: TestApp;
let url: string;
beforeAll(async () => {
  forge = await startTestApp();
  url = await forge.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => forge.close());

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const begin = async (): Promise<Record<string, string>> => {
  const response = await post(initialize);
  await response.text();
  return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
};

it.each<[string, unknown, Record<string, string>, number]>([
  ['no JSON', '{"jsonrpc":', {}, 400],
  ['another media type', '<x/>', { 'content-type': 'text/xml' }, 415],
  ['no accepted answer', initialize, { accept: 'text/html' }, 406],
  ['no handshake', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, {}, 400],
  [
    'a session that there is not',
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { 'mcp-session-id': 'none' },
    404,
  ],
  ['more than a body may have', `"${'x'.repeat(2 * 1024 * 1024)}"`, {}, 413],
])('is refused with a status: %s', async (_, body, headers, status) => {
  const response = await post(body, headers);
  await response.text();
  expect(response.status).toBe(status);
});

it.each<[string, unknown]>([
  ['nothing', null],
  ['a number', 7],
  ['no message', { hello: 'world' }],
  ['a batch without end', Array.from({ length: 5_000 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))],
  ['a second handshake', initialize],
  ['wrong parameters', { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 7 } }],
  ['a method that there is not', { jsonrpc: '2.0', id: 3, method: 'tools/delete' }],
  ['an answer to nothing', { jsonrpc: '2.0', id: 4, result: {} }],
  [
    'a cancellation of nothing',
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99 } },
  ],
  ['the keys of objects', '{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"constructor":{}}}'],
])('leaves the session as it was: %s', async (_, body) => {
  const session = await begin();
  await (await post(body, session)).text();
  const ping = await post({ jsonrpc: '2.0', id: 'after', method: 'ping' }, session);
  expect(await ping.text()).toContain('"id":"after"');
});

it('ends a session when it is asked to', async () => {
  const session = await begin();
  const ended = await fetch(`${url}/mcp`, { method: 'DELETE', headers: session });
  expect(ended.status).toBe(200);
  expect((await post({ jsonrpc: '2.0', id: 2, method: 'ping' }, session)).status).toBe(404);
});

it('is not there when it is switched off, and answers under the names that are set', async () => {
  const off = await startTestApp({ settings: { MCP: 'off' } });
  expect(await off.call('POST', '/mcp', initialize)).toMatchObject({ status: 404 });
  await off.close();

  const named = await startTestApp({ settings: { ALLOWED_HOSTS: 'forge.example, other.example' } });
  const headers = { host: 'forge.example:8080', accept: 'application/json, text/event-stream' };
  expect(await named.call('POST', '/mcp', initialize, headers)).toMatchObject({ status: 200 });
  await named.close();
});
