import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTurnEventLog, createTurnEventService } from '../../src/services/turns/events.ts';
import { fakeLanguageModel, routeReply } from '../fakes/language-model.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { heldFor, storeTurn, storeTurnEvent } from '../helpers/rows/turn.ts';
import { openStream, parseEvents } from '../helpers/sse.ts';

// Streams over a real socket, with a model that speaks when it is told to.

/** A gate that the scripted model waits at. */
function createGate() {
  let open = (): void => undefined;
  let closed: Promise<void> | undefined;
  return {
    close: () => {
      closed = new Promise((resolve) => {
        open = resolve;
      });
    },
    open: () => open(),
    pass: () => closed,
  };
}

const gate = createGate();
let script: Parameters<typeof fakeLanguageModel>[0];
let forge: TestApp;
let origin: string;
let project: string;
let count = 0;

beforeAll(async () => {
  const answer = fakeLanguageModel((request, call) => script(request, call));
  // speaks its first word before the gate, so that a turn can be caught in the middle
  const speaking = {
    ...answer,
    generate: async (request: Parameters<typeof answer.generate>[0]) => {
      request.onText?.('Well. ');
      return answer.generate(request);
    },
  };
  forge = await startTestApp({
    settings: { TURN_LEASE_SECONDS: '5' },
    overrides: {
      answerModel: speaking,
      smallModel: fakeLanguageModel(() => ({ text: routeReply() })),
    },
  });
  origin = await forge.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => forge.close());
beforeEach(async () => {
  gate.open();
  script = async () => {
    await gate.pass();
    return { text: 'Who signs the budget?' };
  };
  project = `stream-${++count}`;
  await forge.call('POST', '/projects', { id: project, name: 'Streams' });
});

const path = (rest = '') => `/projects/${project}/turns${rest}`;
const stream = (message: string, headers = {}) =>
  openStream(origin + path(), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ message }),
  });
const follow = (n: number, headers = {}, query = '') =>
  openStream(`${origin}${path(`/${n}/events`)}${query}`, { headers });

describe('a turn as events', () => {
  it('comes in order, numbered from 1, and ends with the turn', async () => {
    script = (_, call) =>
      call === 0
        ? { toolCalls: [{ name: 'update_skeleton', input: { field: 'decision_maker', value: 'Dana' } }] }
        : { text: 'Who signs the budget? [9]' };
    const one = await stream('Dana decides.');
    expect(one.response.status).toBe(200);
    expect(Object.fromEntries(one.response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      location: path('/1'),
    });
    expect(one.response.headers.get('content-encoding')).toBeNull();
    const events = await one.all();
    expect(one.raw()).toMatch(/^retry: 2000\n\n/);
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
    expect([...new Set(events.map(({ event }) => event))]).toEqual([
      'turn.created',
      'route.decided',
      'context.assembled',
      'answer.delta',
      'tool.called',
      'tool.returned',
      'turn.completed',
    ]);
    expect(events[0]?.data).toMatchObject({ object: 'turn', turn_number: 1, status: 'in_progress' });
    const said = events.filter(({ event }) => event === 'answer.delta').map(({ data }) => data.text);
    expect(said.join('')).toContain('Who signs the budget? [9]');
    const last = events.at(-1)?.data;
    // the marker that resolves to nothing is gone from the turn itself
    expect(last).toMatchObject({ status: 'completed', state_changes: [{ tool: 'update_skeleton' }] });
    expect(last.response).not.toContain('[9]');
    expect((await forge.call('GET', path('/1'))).body).toEqual({ ...last, usage: expect.anything() });
  });

  it('is JSON unless the client would rather have events', async () => {
    for (const accept of ['*/*', 'application/json, text/event-stream', 'text/event-stream;q=0']) {
      const { status, headers } = await forge.call('POST', path(), { message: 'Hello.' }, { accept });
      expect([status, headers['content-type']]).toEqual([201, 'application/json; charset=utf-8']);
    }
    const accept = 'application/json;q=0.5, text/event-stream';
    const { status, text } = await forge.call('POST', path(), { message: 'Hello.' }, { accept });
    expect(status).toBe(200);
    expect(parseEvents(text).at(-1)?.event).toBe('turn.completed');
  });

  it('is refused before the first byte, with its own status', async () => {
    const accept = 'text/event-stream';
    const refused = await forge.call('POST', path(), { message: '' }, { accept });
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
    const none = await forge.call('POST', '/projects/none/turns', { message: 'x' }, { accept });
    expect(none.status).toBe(404);
    const large = await forge.call('POST', path(), { message: '面白い '.repeat(7_900) }, { accept });
    expect(large.status).toBe(422);
    gate.close();
    const first = await stream('One.');
    await first.until('answer.delta');
    const second = await forge.call('POST', path(), { message: 'Two.' }, { accept });
    expect([second.status, second.body.code]).toEqual([409, 'turn_in_progress']);
    gate.open();
    await first.all();
  });

  it('says as JSON and as events that a reply was cut off, and how retrieval ran beside the routing', async () => {
    script = () => ({ text: 'Who signs the', stopReason: 'max_tokens' });
    const events = await (await stream('Who signs?')).all();
    const cut = { stop_reason: 'max_tokens', truncated: true };
    expect(events[0]?.data).toMatchObject({ stop_reason: null, truncated: false });
    expect(events.at(-1)).toMatchObject({ event: 'turn.completed', data: cut });
    expect((await forge.call('GET', path('/1'))).body).toMatchObject(cut);
    expect((await forge.call('GET', path('/1/context'))).body).toMatchObject({
      stop_reason: 'max_tokens',
      speculation: { probe: null, outcome: 'other_probe', used: false },
      timings_ms: { overlap: expect.any(Number) },
    });
    script = () => ({ text: 'Who signs?' });
    const { body } = await forge.call('POST', path(), { message: 'Again.' });
    expect(body).toMatchObject({ stop_reason: 'end_turn', truncated: false });
  });

  it('goes on when its client leaves, and is told from where the client was', async () => {
    gate.close();
    const first = await stream('Remember this.');
    const seen = await first.until('answer.delta');
    first.leave();
    gate.open();
    const second = await follow(1, { 'last-event-id': String(seen.id) });
    const rest = await second.all();
    expect(rest[0]?.id).toBe(seen.id + 1);
    expect(rest.at(-1)).toMatchObject({
      event: 'turn.completed',
      data: { message: 'Remember this.', status: 'completed' },
    });
  });

  it('is told the same from storage as live, number by number', async () => {
    const live = await (await stream('Hello.')).all();
    await expect
      .poll(async () => (await forge.db.query('select 1 from turn_events')).rowCount)
      .toBeGreaterThan(0);
    await forge.flushEvents();
    // another instance, which has nothing in memory
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const elsewhere = createTurnEventService({
      db: forge.db,
      events: createTurnEventLog({ db: forge.db, log }),
      getTurn: () => Promise.reject(new Error('not needed')),
      log,
    });
    const scope = { workspaceId: 'default', projectId: project };
    const stored: unknown[] = [];
    for await (const { seq, type, data } of elsewhere.follow(scope, 1, 0, new AbortController().signal)) {
      stored.push({ id: seq, event: type, data });
    }
    expect(stored).toEqual(live);
    for (const { id } of live.slice(0, -1)) {
      const replay = await (await follow(1, {}, `?after=${id}`)).all();
      expect(replay).toEqual(live.slice(id));
    }
    // nothing is left to tell: a browser's client stops coming back
    const over = await forge.call('GET', path('/1/events'), undefined, {
      'last-event-id': String(live.length),
    });
    expect([over.status, over.text]).toEqual([204, '']);
  });

  it('ends at once when it is cancelled, and keeps what was said', async () => {
    gate.close();
    const first = await stream('Tell me everything.');
    await first.until('answer.delta');
    const cancelled = await forge.call('POST', path('/1/cancel'));
    const events = await first.all();
    expect(events.at(-1)).toMatchObject({
      event: 'turn.cancelled',
      data: { status: 'cancelled', response: 'Well. ' },
    });
    expect(cancelled.body.status).toBe('cancelled');
    expect(events.filter(({ event }) => /^turn\.(completed|failed|cancelled)$/.test(event))).toHaveLength(1);
  });

  it('counts on from the next million when it is retried, from its own beginning', async () => {
    script = () => {
      throw new Error('out of order');
    };
    const failed = await (await stream('Try this.')).all();
    expect(failed.at(-1)).toMatchObject({
      event: 'turn.failed',
      data: {
        type: '/problems/internal_error',
        status: 500,
        code: 'internal_error',
        retryable: true,
        turn_number: 1,
        turn: { status: 'failed', message: 'Try this.', response: null },
      },
    });
    expect(JSON.stringify(failed)).not.toContain('out of order');
    script = () => ({ text: 'Now it works.' });
    const retried = await openStream(origin + path('/1/retry'), { method: 'POST' });
    const events = await retried.all();
    expect(events[0]).toMatchObject({ id: 1_000_001, event: 'turn.created', data: { attempt: 2 } });
    expect(events.at(-1)).toMatchObject({
      event: 'turn.completed',
      data: { response: 'Now it works.' },
    });
    const late = await (await follow(1, { 'last-event-id': String(failed.at(-1)?.id) })).all();
    expect(late).toEqual(events);
  });

  it('answers HEAD without a body, and 404 and 400 to what cannot be followed', async () => {
    await forge.call('POST', path(), { message: 'Hello.' });
    const head = await forge.app.inject({ method: 'HEAD', url: path('/1/events') });
    expect([head.statusCode, head.headers['content-type'], head.body]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      '',
    ]);
    expect((await forge.call('GET', path('/7/events'))).body.code).toBe('turn_not_found');
    expect((await forge.call('GET', path('/1/events?after=-1'))).status).toBe(400);
    expect((await forge.call('GET', path('/1/events'), undefined, { 'last-event-id': 'x' })).status).toBe(
      400,
    );
  });
});

describe('a turn whose worker has gone', () => {
  /** A turn as a killed process leaves it. */
  async function abandon(leaseSeconds: number) {
    const scope = { workspaceId: 'default', projectId: project };
    await storeTurn(forge.db, scope, { ...heldFor(leaseSeconds), message: 'Do not lose me.' });
    await storeTurnEvent(forge.db, scope, { seq: 2, type: 'answer.delta', data: ['So ', 'far'] });
  }

  it('ends as interrupted for its followers once its lease has run out, with the message kept', async () => {
    await abandon(0.4);
    const events = await (await follow(1)).all();
    expect(events.map(({ id, event }) => [id, event])).toEqual([
      [1, 'answer.delta'],
      [2, 'answer.delta'],
      [1_000_000, 'turn.failed'],
    ]);
    expect(events.at(-1)?.data).toMatchObject({
      code: 'interrupted',
      status: 503,
      turn: { message: 'Do not lose me.', status: 'failed' },
    });
    expect((await forge.call('GET', path('/1/events?after=1000000'))).status).toBe(204);
    const retried = await forge.call('POST', path('/1/retry'));
    expect(retried.body).toMatchObject({ turn_number: 1, attempt: 2, status: 'completed' });
  });

  it('holds its followers until then', async () => {
    await abandon(60);
    const one = await follow(1);
    await one.until('answer.delta');
    expect((await forge.call('POST', path(), { message: 'Next.' })).body.code).toBe('turn_in_progress');
    await forge.call('POST', path('/1/cancel'));
    expect((await one.all()).at(-1)).toMatchObject({ id: 1_000_000, event: 'turn.cancelled' });
  });
});
