import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createIdempotencyService } from '../../src/services/idempotency.ts';
import { fakeLanguageModel, routeReply } from '../fakes/language-model.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { storeIdempotencyKey } from '../helpers/rows/idempotency-key.ts';
import { secondsFromNow } from '../helpers/rows/insert-row.ts';
import { heldFor, storeTurn } from '../helpers/rows/turn.ts';
import { openStream, parseEvents } from '../helpers/sse.ts';

let script: Parameters<typeof fakeLanguageModel>[0];
const answerModel = fakeLanguageModel((request, call) => script(request, call));
let forge: TestApp;
let origin: string;
let project: string;
let count = 0;

beforeAll(async () => {
  forge = await startTestApp({
    settings: { TURN_LEASE_SECONDS: '5' },
    overrides: { answerModel, smallModel: fakeLanguageModel(() => ({ text: routeReply() })) },
  });
  origin = await forge.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => forge.close());
beforeEach(async () => {
  script = () => ({ text: 'Who signs the budget?' });
  answerModel.requests.splice(0);
  project = `keys-${++count}`;
  await forge.call('POST', '/projects', { id: project, name: 'Keys' });
});

const withKey = (key: string, more = {}) => ({ 'idempotency-key': key, ...more });
const turns = (rest = '') => `/projects/${project}/turns${rest}`;
const turnNumbers = async () =>
  (await forge.call('GET', turns())).body.data.map((turn: { turn_number: number }) => turn.turn_number);

describe('a plain request under a key', () => {
  it('is answered as before when it comes again, and done once', async () => {
    const body = { name: 'Campaign' };
    const first = await forge.call('POST', '/projects', body, withKey(`p-${count}`));
    const again = await forge.call('POST', '/projects', body, withKey(`p-${count}`));
    expect(first.status).toBe(201);
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(again.text).toBe(first.text);
    expect(again).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } });
    expect(again.headers.location).toBe(first.headers.location);
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    // without quotes or with them, as the draft has it
    const quoted = await forge.call('POST', '/projects', body, withKey(`"p-${count}"`));
    expect(quoted.text).toBe(first.text);
  });

  it('is refused when the key came with another payload or to another address', async () => {
    await forge.call('POST', '/projects', { name: 'One' }, withKey(`other-${count}`));
    const payload = await forge.call('POST', '/projects', { name: 'Two' }, withKey(`other-${count}`));
    expect([payload.status, payload.body.code]).toEqual([422, 'idempotency_key_reused']);
    const address = await forge.call('POST', '/projects/', { name: 'One' }, withKey(`other-${count}`));
    expect([address.status, address.body.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('is a key of its own in each project', async () => {
    await forge.call('POST', '/projects', { name: 'One' }, withKey(`place-${count}`));
    expect((await forge.call('POST', turns(), { message: 'x' }, withKey(`place-${count}`))).status).toBe(201);
  });

  it.each(['', ' ', 'a b', 'a, b', '"open', 'x'.repeat(256), '"a"b"'])(
    'is refused when the key is malformed: %j',
    async (key) => {
      const { status, body } = await forge.call('POST', '/projects', { name: 'One' }, withKey(key));
      expect([status, body.code]).toEqual([400, 'invalid_idempotency_key']);
      expect((await forge.call('POST', turns(), { message: 'x' }, withKey(key))).status).toBe(400);
    },
  );

  it('frees the key when nothing was produced', async () => {
    const key = withKey(`free-${count}`);
    expect((await forge.call('POST', '/projects', { id: project, name: 'Taken' }, key)).status).toBe(409);
    expect((await forge.call('POST', '/projects', { name: '' }, key)).status).toBe(400);
    expect((await forge.call('POST', '/projects', { name: 'Free' }, key)).status).toBe(201);
  });

  it('is told apart from the first one that still runs, and freed when that one is gone', async () => {
    const log = { warn: () => undefined };
    const keys = createIdempotencyService({ db: forge.db, log, leaseSeconds: 0.2 });
    const owner = { workspaceId: 'default', caller: 'open', key: `runs-${count}` };
    const outcome = await keys.take(owner, 'POST /x 1');
    await expect(keys.take(owner, 'POST /x 1')).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    await expect(keys.take(owner, 'POST /x 2')).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    expect(outcome.kind).toBe('claimed');
    // a key of the same name is another caller's own
    expect((await keys.take({ ...owner, caller: 'else' }, 'POST /x 2')).kind).toBe('claimed');
    // as a killed process leaves it
    const gone = { ...owner, key: `gone-${count}` };
    await storeIdempotencyKey(forge.db, {
      idempotencyKey: gone.key,
      fingerprint: 'POST /y 1',
      holder: 'gone',
      lockedUntil: secondsFromNow(-1),
    });
    await expect(keys.take(gone, 'POST /y 2')).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    expect((await keys.take(gone, 'POST /y 1')).kind).toBe('claimed');
  });

  it('is forgotten after a day', async () => {
    const key = `old-${count}`;
    await forge.call('POST', '/projects', { name: 'One' }, withKey(key));
    await forge.db.query(
      `update idempotency_keys set created_at = now() - interval '25 hours' where idempotency_key = $1`,
      [key],
    );
    const other = await forge.call('POST', '/projects', { name: 'Two' }, withKey(key));
    expect([other.status, other.headers['idempotency-replayed']]).toEqual([201, undefined]);
  });
});

describe('an upload under a key', () => {
  it('is stored once, whatever the boundary of its parts', async () => {
    const first = await forge.upload(project, { 'a.md': '# A\n\nOne.' }, withKey(`u-${count}`));
    expect(first.status).toBe(201);
    const again = await forge.app.inject({
      method: 'POST',
      url: `/projects/${project}/files`,
      headers: withKey(`u-${count}`, { 'content-type': 'multipart/form-data; boundary=another' }),
      payload:
        '--another\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\n# A\n\nOne.\r\n--another--\r\n',
    });
    expect(again.json()).toEqual(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.headers.location).toBe(first.headers.location);
    const other = await forge.upload(project, { 'a.md': '# A\n\nTwo.' }, withKey(`u-${count}`));
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
    expect((await forge.call('GET', `/projects/${project}/files/a.md`)).body.version).toBe(1);
  });
});

describe('a turn under a key', () => {
  const say = (key: string, message = 'Why do they leave?', headers = {}) =>
    forge.call('POST', turns(), { message }, withKey(key, headers));

  it('is answered as before when it has ended, as JSON or as events', async () => {
    const first = await say(`t-${count}`);
    expect(first.status).toBe(201);
    const again = await say(`t-${count}`);
    expect(again).toMatchObject({
      status: 201,
      body: first.body,
      headers: { 'idempotency-replayed': 'true', location: turns('/1') },
    });
    const events = await say(`t-${count}`, undefined, { accept: 'text/event-stream' });
    expect(events.headers['idempotency-replayed']).toBe('true');
    expect(parseEvents(events.text)[0]).toMatchObject({ id: 1, event: 'turn.created' });
    expect(parseEvents(events.text).at(-1)).toMatchObject({ event: 'turn.completed', data: first.body });
    expect(await turnNumbers()).toEqual([1]);
    expect(answerModel.requests).toHaveLength(1);
    const other = await say(`t-${count}`, 'Something else.');
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('attaches to the turn that runs: all wait for one', async () => {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    script = async () => {
      await opened;
      return { text: 'One answer for all.' };
    };
    const body = JSON.stringify({ message: 'Why do they leave?' });
    const headers = withKey(`a-${count}`, { 'content-type': 'application/json' });
    const first = await openStream(origin + turns(), { method: 'POST', headers, body });
    await first.until('context.assembled');
    const json = say(`a-${count}`);
    const second = await openStream(origin + turns(), { method: 'POST', headers, body });
    expect(second.response.headers.get('idempotency-replayed')).toBe('true');
    await second.until('context.assembled');
    open();
    const [events, attached, waited] = await Promise.all([first.all(), second.all(), json]);
    expect(attached).toEqual(events);
    expect(waited).toMatchObject({ status: 201, body: events.at(-1)?.data });
    expect(answerModel.requests).toHaveLength(1);
  });

  it('takes the message on once when it comes many times at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => say(`many-${count}`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
    expect(await turnNumbers()).toEqual([1]);
    expect(answerModel.requests).toHaveLength(1);
  });

  it('frees the key when the turn was refused', async () => {
    const scope = { workspaceId: 'default', projectId: project };
    await storeTurn(forge.db, scope, heldFor(60));
    expect((await say(`r-${count}`)).body.code).toBe('turn_in_progress');
    await forge.call('POST', turns('/1/cancel'));
    const taken = await say(`r-${count}`, 'Another message, since nothing was produced.');
    expect([taken.status, taken.body.turn_number]).toEqual([201, 2]);
  });

  it('tries a failed turn again under its number, and repeats a refusal for good', async () => {
    script = (_, call) => {
      if (call === 0) throw new Error('broken');
      return { text: 'Here I am again.' };
    };
    expect((await say(`f-${count}`)).body).toMatchObject({ status: 500, turn_number: 1 });
    const again = await say(`f-${count}`);
    expect(again).toMatchObject({
      status: 201,
      body: { turn_number: 1, attempt: 2, response: 'Here I am again.' },
    });
    expect((await say(`f-${count}`)).body).toEqual(again.body);
    expect(await turnNumbers()).toEqual([1]);

    script = () => ({ stopReason: 'refusal' });
    answerModel.requests.splice(0);
    const refused = await say(`n-${count}`, 'Do evil.');
    const repeated = await say(`n-${count}`, 'Do evil.');
    expect(refused.body).toMatchObject({ code: 'model_rejected', turn_number: 2 });
    expect(repeated.status).toBe(refused.status);
    expect(repeated.body).toEqual({ ...refused.body, request_id: expect.any(String) });
    expect(answerModel.requests).toHaveLength(1);
  });

  it('has its retries under keys of their own', async () => {
    script = (_, call) => {
      if (call === 0) throw new Error('broken');
      return { text: 'Again.' };
    };
    await forge.call('POST', turns(), { message: 'Try.' });
    const retry = () => forge.call('POST', turns('/1/retry'), undefined, withKey(`retry-${count}`));
    const first = await retry();
    expect(first).toMatchObject({ status: 200, body: { attempt: 2 } });
    expect(await retry()).toMatchObject({
      status: 200,
      body: first.body,
      headers: { 'idempotency-replayed': 'true' },
    });
    expect(answerModel.requests).toHaveLength(2);
  });

  it('stands for a turn whose server was killed: told of it, then run again under its number', async () => {
    const first = await say(`killed-${count}`);
    // as a killed process leaves it
    await forge.db.query(
      `update turns set status = 'in_progress', response = null, completed_at = null, locked_by = 'gone',
         locked_until = now() + make_interval(secs => 0.4)
       where project_id = $1`,
      [project],
    );
    await forge.flushEvents();
    await forge.db.query('delete from turn_events where project_id = $1', [project]);
    const waited = await say(`killed-${count}`);
    expect([waited.status, waited.body.code, waited.body.retryable]).toEqual([503, 'interrupted', true]);
    const again = await say(`killed-${count}`);
    expect(again.body).toMatchObject({ turn_number: 1, attempt: 2, response: first.body.response });
    expect(await turnNumbers()).toEqual([1]);
    expect(answerModel.requests).toHaveLength(2);
  });

  it('computes nothing twice in a dry run that comes again', async () => {
    const dry = () =>
      forge.call('POST', turns(), { message: 'What if?', dry_run: true }, withKey(`dry-${count}`));
    const first = await dry();
    expect(first.status).toBe(200);
    expect(await dry()).toMatchObject({ text: first.text, headers: { 'idempotency-replayed': 'true' } });
  });
});
