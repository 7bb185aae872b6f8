import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
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

const keysInUse = async () =>
  (await db.query<{ key_id: string | null }>('select distinct key_id from file_versions')).rows.map(
    ({ key_id }) => key_id,
  );

const hasPlainText = async () =>
  (
    await db.query(`select 1 from file_versions where position($1::bytea in bytes) > 0`, [
      Buffer.from(CANARY),
    ])
  ).rowCount > 0;

it('keeps originals encrypted, gives them back in whole and in part, and reads them', async () => {
  await withKeys(first, async (app) => {
    await app.call('POST', '/projects', { id: 'p', name: 'P' });
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
}, 120_000);

it('says which key is missing, for originals alone', async () => {
  await withKeys(second, async (app) => {
    const missing = await app.call('GET', '/projects/p/files/note.md/content');
    expect([missing.status, missing.body.code]).toEqual([503, 'encryption_key_missing']);
    expect(missing.body.detail).toContain('"first"');
    expect((await app.call('GET', '/projects/p/files/note.md/markdown')).text).toContain(CANARY);
  });
}, 60_000);

it('brings what there is to the first of its keys while it runs, and back to none', async () => {
  await withKeys(`${second},${first}`, async (app) => {
    await expect.poll(keysInUse, { timeout: 30_000 }).toEqual(['second']);
    const whole = await app.call('GET', '/projects/p/files/large.pdf/content');
    expect(whole.bytes.equals(LARGE)).toBe(true);
  });
  await withKeys(`none,${second}`, async (app) => {
    await expect.poll(keysInUse, { timeout: 30_000 }).toEqual([null]);
    expect(await hasPlainText()).toBe(true);
    const whole = await app.call('GET', '/projects/p/files/large.pdf/content');
    expect(whole.bytes.equals(LARGE)).toBe(true);
  });
}, 120_000);
