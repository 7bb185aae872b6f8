import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Scripted } from '../fakes/anthropic-server.ts';
import { ROUTE, startKeyedApp } from '../helpers/keyed-app.ts';

// What is told of a provider that refuses the settings or fails: where, and for how long.

let answer: Scripted;
let route: Scripted;
let app: Awaited<ReturnType<typeof startKeyedApp>>;
beforeAll(async () => {
  app = await startKeyedApp(
    () => answer,
    () => route,
    {
      MODEL_NAME: 'claude-sonnet-4-5-20250929',
      ROUTER_MODEL: 'a-model-of-tomorrow',
      VOYAGE_API_KEY: 'no-such-key',
      ROUTER_TIMEOUT_SECONDS: '1',
    },
  );
});
afterAll(() => app.close());
beforeEach(() => {
  answer = { text: 'Hello.' };
  route = { json: ROUTE };
});

const readiness = () => app.forge.call('GET', '/readyz');
const metrics = async () => (await app.forge.call('GET', '/metrics')).text;
/** What is said of the calls for one thing; undefined while they come through. */
const reason = async (phase: string) =>
  (await readiness()).body.reasons.find((each: { phase: string }) => each.phase === phase);

it('tells when the models in use are switched off', async () => {
  expect((await readiness()).body).toMatchObject({
    retirements: [
      { model: 'claude-sonnet-4-5-20250929', date: '2026-11-30', announced: true },
      { model: 'claude-haiku-5-5', date: '2027-10-07', announced: false },
    ],
  });
});

it.each([
  [401, ['ANTHROPIC_API_KEY']],
  [403, ['ANTHROPIC_API_KEY', 'MODEL_NAME', '"claude-sonnet-4-5-20250929"']],
  [404, ['MODEL_NAME', '"claude-sonnet-4-5-20250929"', 'retired']],
])('names the setting that makes turns fail with %i, until the next one succeeds', async (status, named) => {
  answer = { status, message: 'hunter2' };
  const told = await app.say('Who decides?');
  expect(told).toMatchObject({ status: 503, body: { code: 'provider_misconfigured', retryable: true } });
  const turn = `/projects/p/turns/${told.body.turn_number}`;
  const degraded = await readiness();
  expect([degraded.status, degraded.body.ready, degraded.body.status]).toEqual([200, true, 'degraded']);
  const outage = await reason('answer');
  expect(outage).toMatchObject({
    provider: 'anthropic',
    model: 'claude-sonnet-4-5-20250929',
    problem: 'settings',
    since: expect.stringMatching(/Z$/),
    failures: 1,
  });
  const failed = (await app.forge.call('GET', turn)).body;
  expect(failed).toMatchObject({ message: 'Who decides?', error: { code: 'provider_misconfigured' } });
  for (const name of named) {
    for (const detail of [told.body.detail, outage.detail, failed.error.detail])
      expect(detail).toContain(name);
  }
  for (const shown of [told, degraded, failed]) expect(JSON.stringify(shown)).not.toMatch(/hunter2|test-key/);

  answer = { text: 'Here I am.' };
  expect((await app.forge.call('POST', `${turn}/retry`)).body.response).toBe('Here I am.');
  expect(await reason('answer')).toBeUndefined();
});

it('answers without a router, and tells how long it is away and how often it was missed', async () => {
  route = { status: 404 };
  for (const message of ['One.', 'Two.']) {
    const { body } = await app.say(message);
    expect(body).toMatchObject({ status: 'completed', routing: { source: 'fallback' } });
    const receipt = (await app.forge.call('GET', `/projects/p/turns/${body.turn_number}/context`)).body;
    expect(receipt.routing).toEqual(body.routing);
    expect(receipt.routing.reason).toContain('the router failed');
  }
  const missed = 'forge_provider_failures_total{phase="route",problem="settings"} 2';
  expect(await reason('route')).toMatchObject({
    model: 'a-model-of-tomorrow',
    problem: 'settings',
    failures: 2,
    detail: expect.stringContaining('ROUTER_MODEL'),
  });
  expect(await metrics()).toContain(missed);
  route = { json: ROUTE };
  expect((await app.say('Three.')).body.routing.source).toBe('model');
  expect(await reason('route')).toBeUndefined();
  expect(await metrics()).toContain(missed);
});

it('limits no cost that it cannot know, and takes the same turn without that limit', async () => {
  const refused = await app.say('Who decides?', { limits: { max_cost_usd: 5 } });
  expect(refused).toMatchObject({
    status: 422,
    body: { code: 'price_unknown', errors: [{ pointer: '/limits/max_cost_usd' }] },
  });
  expect(refused.body.detail).toContain('"a-model-of-tomorrow" (ROUTER_MODEL)');
  const taken = await app.say('Who decides?', { limits: { max_tool_rounds: 1 } });
  expect([taken.status, taken.body.usage.cost_usd]).toEqual([201, null]);
  // nothing is routed when a project is only opened
  const opened = await app.say('', { priming: true, limits: { max_cost_usd: 5 } });
  expect(opened.status).toBe(201);
});

it('waits for the router no longer than the settings say, and tells that it is too slow', async () => {
  route = 'no_answer';
  const { body } = await app.say('Who decides?');
  expect(body.routing).toMatchObject({ source: 'fallback', reason: expect.stringContaining('in time') });
  expect(await reason('route')).toMatchObject({ problem: 'timeout', failures: 1 });
});

it('says on a file which setting of the embeddings is wrong, and searches by words meanwhile', async () => {
  const { body } = await app.forge.upload('p', { 'notes.md': '# People\n\nDana decides.\n' });
  expect(body).toMatchObject({
    status: 'failed',
    last_error: {
      code: 'provider_misconfigured',
      message: expect.stringContaining('VOYAGE_API_KEY'),
      retryable: true,
    },
  });
  const degraded = await readiness();
  expect(degraded.body.status).toBe('degraded');
  expect(await reason('embed')).toMatchObject({ provider: 'voyage', problem: 'settings' });
  expect(JSON.stringify([body, degraded])).not.toContain('no-such-key');
  const search = await app.forge.call('POST', '/projects/p/search', { query: 'Dana' });
  expect(search.body.strategy).toBe('lexical_fallback');
});
