import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { type LoadLimits, shedLoad } from '../../../src/routes/edge/load.ts';
import { sendProblem } from '../../../src/routes/plumbing/problems.ts';
import { gate } from '../../helpers/gate.ts';

let app: FastifyInstance;
let lateMs = 0;
const logged: { level: number; code?: string }[] = [];

/** A request that is answered when it is let go, and when it has come. */
const held = { arrived: gate(), let: gate() };

async function start(limits: LoadLimits): Promise<void> {
  logged.length = 0;
  app = Fastify({ logger: { stream: { write: (line: string) => void logged.push(JSON.parse(line)) } } });
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
  shedLoad(app, limits, () => lateMs);
  app.get('/cheap', async () => 'done');
  app.post('/dear', { config: { isExpensive: true } }, async () => 'done');
  app.post('/long', { config: { isExpensive: true } }, async () => {
    held.arrived.open();
    await held.let.opened;
    return 'done';
  });
  await app.ready();
}
afterEach(() => app.close());

const statusOf = async (method: 'GET' | 'POST', url: string) =>
  (await app.inject({ method, url })).statusCode;

it('refuses what is expensive while everything comes late, and serves the rest on', async () => {
  await start({ expensiveRequests: 0, delayMs: 100 });
  lateMs = 101;
  const refused = await app.inject({ method: 'POST', url: '/dear' });
  expect(refused.statusCode).toBe(503);
  expect(refused.headers['retry-after']).toBe('5');
  expect(refused.json()).toMatchObject({ code: 'overloaded', retryable: true });
  expect(await statusOf('GET', '/cheap')).toBe(200);
  // no failure, and there may be thousands
  expect(logged.find(({ code }) => code === 'overloaded')?.level).toBe(40);
  lateMs = 100;
  expect(await statusOf('POST', '/dear')).toBe(200);
});

it('refuses what is expensive beyond so many at a time', async () => {
  await start({ expensiveRequests: 1, delayMs: 0 });
  const first = statusOf('POST', '/long');
  await held.arrived.opened;
  expect(await statusOf('POST', '/dear')).toBe(503);
  expect(await statusOf('GET', '/cheap')).toBe(200);
  held.let.open();
  expect(await first).toBe(200);
  expect(await statusOf('POST', '/dear')).toBe(200);
});
