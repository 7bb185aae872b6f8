import { createSecretKey, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { createSecretStore } from '../../src/services/webhooks/secrets.ts';
import { startTestApp } from '../helpers/app.ts';
import { openTestDatabase } from '../helpers/database.ts';

const CANARY = 'The canary of the original sings at dawn.';
const NOTE = Buffer.from(`# Note\n\n${CANARY}\n`);
/** No PDF, but kept as it came: several segments. */
const LARGE = Buffer.concat([Buffer.from(`%PDF-1.7\n${CANARY}`), randomBytes(1_500_000)]);

const keyOf = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const first = keyOf('first');
const second = keyOf('second');

let db: Database;
/** Of the webhook: the present one, and the one before. */
let secrets: Buffer[] = [];
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

/** A service with these keys on the same database, which it leaves open. */
async function withKeys(
  keys: string,
  work: (app: Awaited<ReturnType<typeof startTestApp>>) => Promise<void>,
) {
  const app = await startTestApp({
    settings: { ENCRYPTION_KEYS: keys },
    overrides: { db: { ...db, close: async () => undefined } },
  });
  try {
    await work(app);
  } finally {
    await app.close();
  }
}

/** The secrets of the webhook by this key: as long as they are the same, receivers need no other. */
async function openedSecrets(key: string): Promise<Buffer[]> {
  const [id = '', bytes = ''] = key.split(':');
  const store = createSecretStore({
    active: id,
    keys: new Map([[id, createSecretKey(Buffer.from(bytes, 'base64'))]]),
  });
  const { rows } = await db.query<{ webhook_id: string; stored: Buffer; key_id: string | null }>(
    `select webhook_id, secret as stored, secret_key_id as key_id from webhooks
     union all select webhook_id, previous_secret, previous_key_id from webhooks`,
  );
  return rows.map(({ webhook_id: webhookId, stored, key_id }) =>
    store.opened({ workspaceId: 'default', webhookId }, { bytes: stored, keyId: key_id }),
  );
}

const keysInUse = async () =>
  (await db.query<{ key_id: string | null }>('select distinct key_id from file_versions')).rows.map(
    ({ key_id }) => key_id,
  );

const secretKeysInUse = async () =>
  (
    await db.query<{ keys: (string | null)[] }>(
      'select array[secret_key_id, previous_key_id] as keys from webhooks order by seq',
    )
  ).rows.map(({ keys }) => keys);

const hasPlainText = async () =>
  (
    await db.query(`select 1 from file_versions where position($1::bytea in bytes) > 0`, [
      Buffer.from(CANARY),
    ])
  ).rowCount > 0;

it('keeps originals encrypted, gives them back in whole and in part, and reads them', async () => {
  await withKeys(first, async (app) => {
    await app.call('POST', '/projects', { id: 'p', name: 'P' });
    const { body: webhook } = await app.call('POST', '/webhooks', { url: 'https://hooks.example/' });
    await app.call('PATCH', `/webhooks/${webhook.id}`, { status: 'disabled' });
    await app.call('POST', `/webhooks/${webhook.id}/rotate`);
    secrets = await openedSecrets(first);
    expect(await secretKeysInUse()).toEqual([['first', 'first']]);
    const uploaded = await app.upload('p', { 'note.md': NOTE, 'large.pdf': LARGE });
    expect(uploaded.status).toBeLessThan(300);
    await app.settle();
    expect(await keysInUse()).toEqual(['first']);
    expect(await hasPlainText()).toBe(false);
    const found = await app.call('POST', '/projects/p/search', { query: 'canary dawn' });
    expect(found.text).toContain(CANARY);
    const whole = await app.call('GET', '/projects/p/files/large.pdf/content');
    expect(whole.bytes.equals(LARGE)).toBe(true);
    const range = { range: 'bytes=65530-140000' };
    const part = await app.call('GET', '/projects/p/files/large.pdf/content', undefined, range);
    expect(part.status).toBe(206);
    expect(part.bytes.equals(LARGE.subarray(65530, 140_001))).toBe(true);
    const again = await app.upload('p', { 'note.md': NOTE });
    expect(again.body.data?.[0]?.version ?? again.body.version).toBe(1);
    const archive = await app.call('GET', '/projects/p/export');
    const imported = await app.app.inject({
      method: 'POST',
      url: '/projects:import?id=copy',
      headers: { 'content-type': 'application/zip', prefer: 'wait=60' },
      payload: archive.bytes,
    });
    expect(imported.statusCode).toBeLessThan(300);
    const copied = await app.call('GET', '/projects/copy/files/large.pdf/content');
    expect(copied.bytes.equals(LARGE)).toBe(true);
    expect(await keysInUse()).toEqual(['first']);
    expect(await hasPlainText()).toBe(false);
  });
});

it('says which key is missing, for originals alone', async () => {
  await withKeys(second, async (app) => {
    const missing = await app.call('GET', '/projects/p/files/note.md/content');
    expect([missing.status, missing.body.code]).toEqual([503, 'encryption_key_missing']);
    expect(missing.body.detail).toContain('"first"');
    expect((await app.call('GET', '/projects/p/files/note.md/markdown')).text).toContain(CANARY);
  });
});

it('brings what there is to the first of its keys while it runs, and back to none', async () => {
  await withKeys(`${second},${first}`, async (app) => {
    await expect.poll(keysInUse).toEqual(['second']);
    await expect.poll(secretKeysInUse).toEqual([['second', 'second']]);
    expect(await openedSecrets(second)).toEqual(secrets);
    const whole = await app.call('GET', '/projects/p/files/large.pdf/content');
    expect(whole.bytes.equals(LARGE)).toBe(true);
  });
  await withKeys(`none,${second}`, async (app) => {
    await expect.poll(keysInUse).toEqual([null]);
    await expect.poll(secretKeysInUse).toEqual([[null, null]]);
    expect(await openedSecrets(second)).toEqual(secrets);
    expect(await hasPlainText()).toBe(true);
    const whole = await app.call('GET', '/projects/p/files/large.pdf/content');
    expect(whole.bytes.equals(LARGE)).toBe(true);
  });
});
