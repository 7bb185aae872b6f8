import { expect, it } from 'vitest';
import { createMcpEndpoint } from '../../src/mcp/endpoint.ts';
import { OPEN_PRINCIPAL } from '../../src/scope.ts';
import type { Services } from '../../src/services/services.ts';

const silent = { debug: () => undefined, error: () => undefined };

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

/** An endpoint that keeps so many sessions, and a client of it. */
function bench(mostSessions: number) {
  const endpoint = createMcpEndpoint({
    services: {} as Services,
    version: '1',
    log: silent,
    mostSessions,
  });
  const gone: AbortController[] = [];
  async function send(
    body: unknown,
    session?: string,
    method = 'POST',
    principal = OPEN_PRINCIPAL,
  ): Promise<Response> {
    const headers = {
      host: 'localhost',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session !== undefined && { 'mcp-session-id': session }),
    };
    const request = new Request('http://localhost/mcp', { method, headers });
    const controller = new AbortController();
    gone.push(controller);
    return endpoint.handle({ request, body, principal, project: null, gone: controller.signal });
  }
  return {
    endpoint,
    send,
    /** A session that nothing runs of any more. */
    async begin(): Promise<string> {
      const response = await send(initialize);
      await response.text();
      gone.at(-1)?.abort();
      return response.headers.get('mcp-session-id') ?? '';
    },
  };
}

const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };

it('ends the session that is idle for longest when there is no room for another', async () => {
  const { endpoint, begin, send } = bench(2);
  const first = await begin();
  const second = await begin();
  const third = await begin();
  expect((await send(ping, first)).status).toBe(404);
  expect((await send(ping, second)).status).toBe(200);
  expect((await send(ping, third)).status).toBe(200);
  await endpoint.close();
});

it('refuses a session when all are in use', async () => {
  const { endpoint, begin, send } = bench(1);
  const session = await begin();
  const stream = await send(undefined, session, 'GET');
  expect(stream.status).toBe(200);
  expect((await send(initialize)).status).toBe(503);
  await endpoint.close();
  // what listened is told
  expect(await stream.text()).toBe('');
});

it('lets no session have more under way than it may', async () => {
  const { endpoint, begin, send } = bench(1);
  const session = await begin();
  const answers = await Promise.all(Array.from({ length: 40 }, (_, id) => send({ ...ping, id }, session)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  await endpoint.close();
});

it('knows no session of somebody else', async () => {
  const { endpoint, begin, send } = bench(2);
  const session = await begin();
  for (const stranger of [{ workspaceId: 'other' }, { caller: 'somebody' }]) {
    const response = await send(ping, session, 'POST', { ...OPEN_PRINCIPAL, ...stranger });
    expect(response.status).toBe(404);
  }
  expect((await send(ping, session)).status).toBe(200);
  await endpoint.close();
});
