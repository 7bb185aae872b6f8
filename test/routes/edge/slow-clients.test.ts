import { connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { createBodyWatch } from '../../../src/routes/edge/body-pace.ts';
import { limitConnections } from '../../../src/routes/edge/connections.ts';
import { parseAnswer, portOf } from '../../helpers/raw-http.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A client that sends the head of a request with a long body, and what it is answered. */
async function slowClient() {
  const app = Fastify();
  const watch = createBodyWatch({ totalMs: 60_000, bytesPerSecond: 1_000 });
  let received: Socket | undefined;
  app.addHook('onRequest', async (request, reply) => {
    watch.watch(request, reply);
    received = request.raw.socket;
  });
  app.post('/', async () => 'all of it');
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect(portOf(app), '127.0.0.1');
  ends.push(
    () => app.close(),
    () => socket.destroy(),
  );
  let text = '';
  socket.on('data', (data) => {
    text += data.toString();
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 200000\r\n\r\n');
  await expect.poll(() => received).toBeDefined();
  return {
    watch,
    async send(bytes: number): Promise<void> {
      const before = received?.bytesRead ?? 0;
      socket.write('x'.repeat(bytes));
      await expect.poll(() => received?.bytesRead).toBe(before + bytes);
    },
    answer: async () => {
      await closed;
      return parseAnswer(text);
    },
    answered: () => text,
  };
}

it('breaks a body off that stands still', async () => {
  const client = await slowClient();
  await client.send(100_000);
  client.watch.tick(20_000);
  client.watch.tick(19_000);
  expect(client.answered()).toBe('');
  client.watch.tick(1_000);
  const { status, headers, body } = await client.answer();
  expect(status).toBe(408);
  expect(headers).toMatchObject({ connection: 'close', 'content-type': expect.stringContaining('problem') });
  expect(JSON.parse(body)).toMatchObject({ code: 'request_timeout', retryable: true });
});

it('lets one come that is slow but steady, for as long as a body may take', async () => {
  const client = await slowClient();
  for (let n = 0; n < 2; n++) {
    await client.send(20_000);
    client.watch.tick(20_000);
  }
  expect(client.answered()).toBe('');
  await client.send(20_000);
  client.watch.tick(20_000);
  expect(await client.answer()).toMatchObject({ status: 408 });
});

it('waits for none that stands still when the service stops', async () => {
  const client = await slowClient();
  await client.send(10);
  client.watch.stop();
  client.watch.tick(1_000);
  const { status, body } = await client.answer();
  expect(status).toBe(503);
  expect(JSON.parse(body)).toMatchObject({ code: 'service_unavailable' });
});

it.each([
  [[], true],
  [['127.0.0.0/8'], false],
])('takes so many connections from one address, but from proxies all: %j', async (proxies, isRefused) => {
  const app = Fastify();
  limitConnections(app.server, { all: 0, perAddress: 1, proxies });
  app.get('/', async () => 'here');
  await app.listen({ host: '127.0.0.1', port: 0 });
  const first = connect(portOf(app), '127.0.0.1');
  ends.push(
    () => app.close(),
    () => first.destroy(),
  );
  await new Promise((resolve) => first.once('connect', resolve));
  const second = await fetch(`http://127.0.0.1:${portOf(app)}/`);
  expect(second.status).toBe(isRefused ? 503 : 200);
  if (isRefused) expect(await second.json()).toMatchObject({ code: 'overloaded', retry_after_s: 5 });
});
