import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createApi } from '../../src/cli/api.ts';

let server: Server;
afterEach(() => server.close());

/** A service that refuses so many requests first; gives the bodies that it was sent. */
async function refusing(times: number, code: string) {
  const bodies: string[] = [];
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    if (bodies.length > times) return response.end('{"ok":true}');
    const problem = {
      type: `/problems/${code}`,
      title: 'T',
      status: 429,
      detail: 'Wait.',
      instance: '/x',
      code,
      request_id: 'r',
      retryable: true,
      retry_after_s: 0.001,
    };
    response.writeHead(429, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { bodies, api: createApi(`http://127.0.0.1:${port}`, 'k') };
}

it('waits as long as it is told where its key has sent too much, and sends the same again', async () => {
  const { api, bodies } = await refusing(2, 'rate_limited');
  expect(await api.call('post', '/projects', { body: { name: 'P' } })).toEqual({ ok: true });
  expect(bodies).toEqual(Array(3).fill('{"name":"P"}'));
});

it('does not wait for ever', async () => {
  const { api, bodies } = await refusing(1_000, 'rate_limited');
  await expect(api.call('get', '/version', {})).rejects.toMatchObject({ code: 'rate_limited' });
  expect(bodies).toHaveLength(11);
});

it('sends nothing again that was refused otherwise', async () => {
  const { api, bodies } = await refusing(1, 'overloaded');
  await expect(api.call('get', '/version', {})).rejects.toMatchObject({ code: 'overloaded' });
  expect(bodies).toHaveLength(1);
});
