import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { type Receiver, startReceiver } from '../helpers/webhook-receiver.ts';

let forge: TestApp;
let receiver: Receiver;
beforeAll(async () => {
  const ENCRYPTION_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
  forge = await startTestApp({ settings: { WEBHOOK_ATTEMPTS: '1', ENCRYPTION_KEYS } });
  receiver = await startReceiver();
});
afterAll(() => Promise.all([forge.close(), receiver.close()]));

it('no webhook is made for an address of this machine or of a private network', async () => {
  const hosts = [
    '127.0.0.1',
    'localhost',
    'x.localhost',
    '10.0.0.1',
    '169.254.169.254',
    '[::1]',
    '0x7f.1',
    '[::ffff:10.0.0.1]',
  ];
  for (const host of hosts) {
    const { status, body } = await forge.call('POST', '/webhooks', { url: `http://${host}/` });
    expect([host, status, body.errors?.[0]?.detail]).toEqual([
      host,
      400,
      expect.stringContaining('private network'),
    ]);
  }
});

it('nothing is sent to a name that turns out to be one', async () => {
  const webhook = (await forge.call('POST', '/webhooks', { url: 'https://hooks.example/' })).body;
  // as if the name had been given another address since
  const url = receiver.url.replace('127.0.0.1', 'localhost');
  await forge.db.query('update webhooks set url = $1 where webhook_id = $2', [url, webhook.id]);
  await forge.call('POST', `/webhooks/${webhook.id}/test`);
  for (;;) {
    const { body } = await forge.call('GET', `/webhooks/${webhook.id}/deliveries`);
    if (body.data[0].status === 'pending') continue;
    expect(body.data[0]).toMatchObject({
      status: 'failed',
      log: [{ status_code: null, error: expect.stringContaining('private network') }],
    });
    break;
  }
  expect(receiver.messages).toHaveLength(0);
});

it('a secret is stored encrypted where originals are', async () => {
  const webhook = (await forge.call('POST', '/webhooks', { url: 'https://hooks.example/' })).body;
  const { rows } = await forge.db.query<{ secret: Buffer; secret_key_id: string }>(
    'select secret, secret_key_id from webhooks where webhook_id = $1',
    [webhook.id],
  );
  expect(rows[0]?.secret_key_id).toBe('k1');
  const secret = Buffer.from(String(webhook.secret).replace('whsec_', ''), 'base64');
  expect(Buffer.from(rows[0]?.secret ?? []).includes(secret)).toBe(false);
});

it('refuses webhooks beyond those that a workspace may have, of several that are made at once', async () => {
  await forge.db.query('delete from webhooks');
  await forge.db.query(
    `insert into webhooks (workspace_id, webhook_id, url, secret, status)
     select 'default', 'wh_' || n, 'https://hooks.example/', '', 'disabled' from generate_series(1, 48) n`,
  );
  const made = await Promise.all(
    Array.from({ length: 6 }, () => forge.call('POST', '/webhooks', { url: 'https://hooks.example/' })),
  );
  expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 403, 403, 403, 403]);
});
