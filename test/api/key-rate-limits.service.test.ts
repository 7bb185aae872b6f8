import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { openTestDatabase } from '../helpers/database.ts';

const REQUESTS = 40;
const EXPENSIVE = 10;
const settings = {
  RATE_LIMIT_REQUESTS_PER_MINUTE: String(REQUESTS),
  RATE_LIMIT_EXPENSIVE_PER_MINUTE: String(EXPENSIVE),
};

let db: Database;
let instances: TestApp[];
let service: object;

const first = (): TestApp => instances[0] as TestApp;

/** A key of its own for each test: its buckets are full. */
async function newKey(body: object = {}): Promise<{ authorization: string }> {
  // the first key makes the others, and has no limits so that it can
  const made = await first().call('POST', '/keys', { name: 'Test', scopes: ['admin'], ...body }, service);
  expect(made.status).toBe(201);
  return { authorization: `Bearer ${made.body.key}` };
}

const statuses = (answers: { status: number }[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

beforeAll(async () => {
  db = await openTestDatabase();
  const shared = { ...db, close: async () => undefined };
  instances = await Promise.all(
    [1, 2].map(() => startTestApp({ settings, overrides: { db: shared, role: 'reader' } })),
  );
  service = {};
  const rate_limits = { requests: 0, expensive: 0 };
  service = await newKey({ scopes: ['service'], rate_limits });
  await first().call('POST', '/projects', { id: 'p', name: 'P' }, service);
});
afterAll(async () => {
  await Promise.all(instances.map((each) => each.close()));
  await db.close();
});

describe('a limit of requests a minute', () => {
  it('is one for all instances, however many requests come at once', async () => {
    const key = await newKey();
    const startedAt = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 3 * REQUESTS }, (_, n) =>
        (instances[n % 2] as TestApp).call('GET', '/projects', undefined, key),
      ),
    );
    const refilled = Math.ceil(((performance.now() - startedAt) / 60_000) * REQUESTS);
    expect(statuses(answers, 200)).toBeGreaterThanOrEqual(REQUESTS);
    expect(statuses(answers, 200)).toBeLessThanOrEqual(REQUESTS + refilled);
    expect(statuses(answers, 200) + statuses(answers, 429)).toBe(3 * REQUESTS);
  });

  it('is told with every answer, and when to come again with a refusal', async () => {
    // one comes back every 20 seconds
    const key = await newKey({ rate_limits: { requests: 3 } });
    const one = await first().call('GET', '/projects', undefined, key);
    expect(one.headers['ratelimit-policy']).toBe('"requests";q=3;w=60');
    expect(one.headers.ratelimit).toMatch(/^"requests";r=2;t=\d+$/);
    const missing = await first().call('GET', '/projects/none', undefined, key);
    expect(missing.status).toBe(404);
    expect(missing.headers.ratelimit).toMatch(/^"requests";r=1;t=\d+$/);

    const all = await Promise.all([1, 2, 3].map(() => first().call('GET', '/projects', undefined, key)));
    const refused = all.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({
      code: 'rate_limited',
      status: 429,
      retryable: true,
      limit: 'requests',
      per_minute: 3,
    });
    expect(refused?.body.retry_after_s).toBeGreaterThanOrEqual(1);
    expect(refused?.headers['retry-after']).toBe(String(refused?.body.retry_after_s));
    expect(refused?.headers.ratelimit).toMatch(/^"requests";r=0;t=\d+$/);
  });

  it('does not hold for what is for everybody', async () => {
    const key = await newKey();
    const health = await first().call('GET', '/healthz', undefined, key);
    expect(health.headers.ratelimit).toBeUndefined();
  });
});

describe('a limit of expensive operations', () => {
  it('counts besides, and lets the cheap ones go on', async () => {
    const key = await newKey({ rate_limits: { expensive: 3 } });
    const search = () => first().call('POST', '/projects/p/search', { query: 'quokka' }, key);
    const answers = await Promise.all(Array.from({ length: 6 }, search));
    expect(statuses(answers, 200)).toBeGreaterThanOrEqual(3);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({ code: 'rate_limited', limit: 'expensive' });
    expect(refused?.headers['ratelimit-policy']).toBe(`"requests";q=${REQUESTS};w=60, "expensive";q=3;w=60`);
    expect((await first().call('GET', '/projects', undefined, key)).status).toBe(200);
  });

  it('refuses an upload before anything of it is read', async () => {
    const key = await newKey({ rate_limits: { expensive: 1 } });
    expect(
      (await first().upload('p', { 'a.md': '# A\n\nText.\n' }, { ...key, prefer: 'respond-async' })).status,
    ).toBe(202);
    // a body that is no upload at all would be another problem
    const next = await first().call('POST', '/projects/p/files', 'no upload', key);
    expect(next.body.code).toBe('rate_limited');
    expect((await first().call('GET', '/projects/p/files', undefined, key)).body.data).toHaveLength(1);
  });
});

describe('limits of a key', () => {
  it('take the place of those of the service', async () => {
    const key = await newKey({ rate_limits: { requests: 2 } });
    const answers = await Promise.all([1, 2, 3].map(() => first().call('GET', '/projects', undefined, key)));
    expect(statuses(answers, 429)).toBe(1);
    const listed = await first().call('GET', '/keys', undefined, service);
    expect(listed.body.data.map((each: { rate_limits: object }) => each.rate_limits)).toContainEqual({
      requests: 2,
      expensive: null,
    });
  });

  it('are raised by nobody but who is over all workspaces', async () => {
    const admin = await newKey();
    const make = (rate_limits: object) =>
      first().call('POST', '/keys', { name: 'Mine', scopes: ['write'], rate_limits }, admin);
    expect((await make({ requests: REQUESTS + 1 })).body).toMatchObject({
      code: 'scope_required',
      scope: 'service',
    });
    expect((await make({ expensive: 0 })).body.code).toBe('scope_required');
    expect((await make({ requests: REQUESTS, expensive: 1 })).status).toBe(201);
    expect((await make({ requests: 1.5 })).body.code).toBe('invalid_request');
  });
});
