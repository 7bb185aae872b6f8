import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { projectEventSchema } from '../../src/contract/project-event.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { type Receiver, startReceiver } from '../helpers/webhook-receiver.ts';

let forge: TestApp;
let receiver: Receiver;
let project: string;
let count = 0;
beforeAll(async () => {
  const settings = {
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_RETRY_SECONDS: '0',
    WEBHOOK_ATTEMPTS: '3',
    WEBHOOK_TIMEOUT_SECONDS: '1',
  };
  forge = await startTestApp({ settings });
});
afterAll(() => forge.close());
beforeEach(async () => {
  receiver = await startReceiver();
  project = `hooks-${++count}`;
});
afterEach(async () => {
  const { body } = await forge.call('GET', '/webhooks');
  for (const { id } of body.data) await forge.call('DELETE', `/webhooks/${id}`);
  await receiver.close();
});

const create = async (fields: Record<string, unknown> = {}) =>
  (await forge.call('POST', '/webhooks', { url: receiver.url, ...fields })).body;
const createProject = (id = project) => forge.call('POST', '/projects', { id, name: id });
const rename = (name: string) => forge.call('PATCH', `/projects/${project}`, { name });
const deliveries = async (id: string, query = '') =>
  (await forge.call('GET', `/webhooks/${id}/deliveries${query}`)).body.data;
/** Waits until no delivery of a webhook is pending. */
async function settled(id: string): Promise<Record<string, unknown>[]> {
  for (;;) {
    const found = await deliveries(id, '?limit=100');
    if (found.every(({ status }: { status: string }) => status !== 'pending')) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('a webhook', () => {
  it('is sent what changes, as the feed has it, in order and signed', async () => {
    const webhook = await create();
    expect(webhook).toMatchObject({ object: 'webhook', status: 'enabled', projects: null, types: null });
    expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await createProject();
    for (const name of ['one', 'two', 'three']) await rename(name);
    await receiver.until(() => receiver.messages.length === 4);
    const { body: feed } = await forge.call('GET', `/projects/${project}/events`);
    expect(receiver.messages.map(({ event }) => event)).toEqual(feed.data);
    for (const message of receiver.messages) {
      projectEventSchema.parse(receiver.verify(webhook.secret, message));
      expect(message.headers).toMatchObject({
        'content-type': 'application/json',
        'webhook-id': expect.stringMatching(/^msg_\d+$/),
      });
    }
    const made = await settled(webhook.id);
    expect(made).toHaveLength(4);
    expect(made[0]).toMatchObject({
      object: 'webhook_delivery',
      id: receiver.messages[0]?.headers['webhook-id'],
      event_id: feed.data[0].id,
      event_type: 'project.created',
      project_id: project,
      status: 'delivered',
      attempts: 1,
      next_attempt_at: null,
      log: [{ status_code: 200, error: null, ms: expect.any(Number) }],
    });
    expect((await forge.call('GET', '/webhooks')).text).not.toContain('whsec_');
  });

  it('is told of the projects and types that it was made for alone', async () => {
    const other = `${project}-other`;
    const webhook = await create({ projects: [project], types: ['project.renamed', 'project.deleted'] });
    await createProject();
    await createProject(other);
    await forge.call('PATCH', `/projects/${other}`, { name: 'Not told' });
    await rename('told');
    await forge.call('DELETE', `/projects/${project}`);
    await receiver.until(() => receiver.messages.length === 2);
    await settled(webhook.id);
    expect(receiver.messages.map(({ event }) => [event.type, event.project_id])).toEqual([
      ['project.renamed', project],
      ['project.deleted', project],
    ]);
  });

  it('is sent nothing that was not done', async () => {
    const webhook = await create();
    await createProject();
    await createProject();
    await forge.call('PATCH', `/projects/${project}/state`, { nonsense: 1 });
    await settled(webhook.id);
    expect(receiver.types()).toEqual(['project.created']);
  });

  it('is sent a test', async () => {
    const webhook = await create({ types: ['run.failed'] });
    const { status, body } = await forge.call('POST', `/webhooks/${webhook.id}/test`);
    expect([status, body.event_type, body.event_id]).toEqual([202, 'webhook.test', 0]);
    await settled(webhook.id);
    const [message] = receiver.messages;
    expect(message?.event).toMatchObject({ type: 'webhook.test', url: `/webhooks/${webhook.id}` });
    if (message) receiver.verify(webhook.secret, message);
  });

  it('signs with two secrets while one takes the place of the other', async () => {
    const webhook = await create();
    const rotated = await forge.call('POST', `/webhooks/${webhook.id}/rotate?overlap_hours=1`);
    expect(rotated.body.previous_secret_until).not.toBeNull();
    await createProject();
    await settled(webhook.id);
    const [first] = receiver.messages;
    if (!first) throw new Error('nothing came');
    receiver.verify(webhook.secret, first);
    receiver.verify(rotated.body.secret, first);
    await forge.call('POST', `/webhooks/${webhook.id}/rotate?overlap_hours=0`);
    await rename('new');
    await settled(webhook.id);
    const last = receiver.messages.at(-1);
    expect(last?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
    expect(() => last && receiver.verify(rotated.body.secret, last)).toThrow();
  });

  it('is changed, and sent nothing while it is disabled', async () => {
    const webhook = await create();
    const address = `/webhooks/${webhook.id}`;
    const { body } = await forge.call('PATCH', address, { status: 'disabled', description: 'Off' });
    expect(body).toMatchObject({ status: 'disabled', disabled_reason: 'asked', description: 'Off' });
    await createProject();
    expect((await forge.call('POST', `${address}/test`)).body.code).toBe('webhook_disabled');
    await forge.call('PATCH', address, { status: 'enabled' });
    await rename('seen');
    await settled(webhook.id);
    expect(receiver.types()).toEqual(['project.renamed']);
    expect((await forge.call('DELETE', address)).body).toMatchObject({ deleted: true });
    for (const path of [address, `${address}/deliveries`])
      expect((await forge.call('GET', path)).body.code).toBe('webhook_not_found');
    const { rows } = await forge.db.query('select from webhook_deliveries where webhook_id = $1', [
      webhook.id,
    ]);
    expect(rows).toHaveLength(0);
  });
});

describe('a receiver', () => {
  it('that fails gets the same message again, until it takes it', async () => {
    const webhook = await create();
    let failures = 2;
    receiver.answerWith((response) => void response.writeHead(failures-- > 0 ? 500 : 204).end());
    await createProject();
    const [delivery] = await settled(webhook.id);
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 3 });
    expect(delivery?.log).toMatchObject([
      { status_code: 500, error: 'the receiver answered 500' },
      { status_code: 500 },
      { status_code: 204, error: null },
    ]);
    const [first, ...again] = receiver.messages;
    expect(again.map(({ body }) => body)).toEqual([first?.body, first?.body]);
    expect(new Set(receiver.messages.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('that fails for good disables its webhook, and can be sent to once more', async () => {
    const webhook = await create();
    receiver.answerWith((response) => void response.writeHead(503).end());
    await createProject();
    for (const name of ['a', 'b', 'c', 'd']) await rename(name);
    const given = await settled(webhook.id);
    expect(given.map(({ status, attempts }) => [status, attempts])).toEqual(given.map(() => ['failed', 3]));
    const address = `/webhooks/${webhook.id}`;
    expect((await forge.call('GET', address)).body).toMatchObject({
      status: 'disabled',
      disabled_reason: 'failing',
    });
    receiver.answerWith((response) => void response.end());
    const retry = () => forge.call('POST', `${address}/deliveries/${given[0]?.id}/retry`);
    expect((await retry()).body.code).toBe('webhook_disabled');
    await forge.call('PATCH', address, { status: 'enabled' });
    const { status, body } = await retry();
    expect([status, body.status, body.attempts]).toEqual([202, 'pending', 0]);
    const [sent] = await settled(webhook.id);
    expect(sent).toMatchObject({ id: given[0]?.id, status: 'delivered', attempts: 1 });
    expect(receiver.messages.at(-1)?.headers['webhook-id']).toBe(given[0]?.id);
    expect((await forge.call('POST', `${address}/deliveries/msg_0/retry`)).body.code).toBe(
      'delivery_not_found',
    );
  });

  it('that is gone for ever says so once', async () => {
    const webhook = await create();
    receiver.answerWith((response) => void response.writeHead(410).end());
    await createProject();
    const [delivery] = await settled(webhook.id);
    expect(delivery).toMatchObject({ status: 'failed', attempts: 1 });
    expect((await forge.call('GET', `/webhooks/${webhook.id}`)).body.disabled_reason).toBe('gone');
  });

  it('that redirects is not followed', async () => {
    const other = await startReceiver();
    const webhook = await create();
    receiver.answerWith((response) => void response.writeHead(307, { location: other.url }).end());
    await createProject();
    const [delivery] = await settled(webhook.id);
    expect(delivery).toMatchObject({ status: 'failed', log: [{ status_code: 307 }, {}, {}] });
    expect(other.messages).toHaveLength(0);
    await other.close();
  });

  it('that hangs, or is not there, is waited for no longer than it may take', async () => {
    const webhook = await create();
    let hangs = 1;
    receiver.answerWith((response) => {
      if (hangs-- <= 0) response.end();
    });
    await createProject();
    const [delivery] = await settled(webhook.id);
    expect(delivery).toMatchObject({
      status: 'delivered',
      log: [{ status_code: null, error: 'no answer came in time' }, { status_code: 200 }],
    });
    const gone = await startReceiver();
    await gone.close();
    const nobody = await create({ url: gone.url });
    await rename('nobody');
    const [refused] = await settled(nobody.id);
    expect(refused).toMatchObject({
      status: 'failed',
      log: [{ error: 'the connection was refused' }, {}, {}],
    });
  });

  it('whose answer has no end holds nothing up', async () => {
    const webhook = await create();
    receiver.answerWith((response) => {
      response.writeHead(200);
      const more = setInterval(() => response.write('x'.repeat(65_536)), 1);
      response.once('close', () => clearInterval(more));
    });
    await createProject();
    expect(await settled(webhook.id)).toMatchObject([{ status: 'delivered', attempts: 1 }]);
  });
});

describe('a webhook is refused', () => {
  it('for a URL that nothing can be posted to', async () => {
    for (const url of [
      'ftp://hooks.example/',
      'nothing',
      'https://user:secret@hooks.example/',
      'https://a.example/#x',
    ]) {
      const { status, body } = await forge.call('POST', '/webhooks', { url });
      expect([url, status, body.errors?.[0]?.pointer]).toEqual([url, 400, '/url']);
      expect(JSON.stringify(body)).not.toContain('secret');
    }
    expect((await forge.call('POST', '/webhooks', { url: receiver.url, types: ['x'] })).status).toBe(400);
  });
});

it('what a process that has ended had in hand is sent by another', async () => {
  const webhook = await create();
  await createProject();
  await settled(webhook.id);
  await forge.db.query(
    `update webhook_deliveries set status = 'pending', locked_by = 'a process that has ended',
       locked_until = now() - interval '1 second' where webhook_id = $1`,
    [webhook.id],
  );
  await receiver.until(() => receiver.messages.length === 2);
  const [first, second] = receiver.messages;
  expect(second?.body).toBe(first?.body);
  await settled(webhook.id);
});
