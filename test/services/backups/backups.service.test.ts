import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forSystem } from '../../../src/db/bound-database.ts';
import { distribute } from '../../../src/db/distribution/distribute.ts';
import { openBackup } from '../../../src/services/backups/open-backup.ts';
import { restoreBackup } from '../../../src/services/backups/restore-backup.ts';
import { verifyBackup } from '../../../src/services/backups/verify-backup.ts';
import { writeBackup } from '../../../src/services/backups/write-backup.ts';
import { startTestApp, type TestApp } from '../../helpers/app.ts';
import { clusterServers } from '../../helpers/cluster.ts';
import { runForge } from '../../helpers/command-line.ts';
import { openTestDatabase, openUndistributedDatabase } from '../../helpers/database.ts';

const BREWING = '# Brewing\n\n## Grinding\n\nThe grinder is calibrated every Tuesday, 18 clicks from zero.\n';
/** Longer than a piece, and of bytes that no text has: no PDF either, but it is kept. */
const LARGE = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(2_000_000)]);

let app: TestApp;
let folder: string;
let file: string;
/** What the service answered when the backup was made. */
const expected = new Map<string, unknown>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-backups-'));
  file = join(folder, 'forge.backup');
  app = await startTestApp();
  await app.call('POST', '/projects', { id: 'cafe', name: 'Café "NULL" \\ null' });
  await app.upload('cafe', {
    'brewing.md': BREWING,
    'large.pdf': LARGE,
    'odd.txt': 'NULL\n\nnull, {"a"}, \\N \u2028',
  });
  await app.call('POST', '/projects/cafe/turns', { message: 'How is the grinder calibrated?' });
  await app.settle();
  for (const path of [
    '/projects',
    '/projects/cafe',
    '/projects/cafe/files',
    '/projects/cafe/turns/1',
    '/projects/cafe/usage',
  ]) {
    expected.set(path, (await app.call('GET', path)).body);
  }
  const answer = await app.call('POST', '/backup');
  expect(answer.status).toBe(200);
  await writeFile(file, answer.bytes);
});

afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

async function restored(path: string, options: { embedded: boolean }) {
  const db = options.embedded ? await openTestDatabase(options) : await openUndistributedDatabase();
  const backup = await openBackup(path);
  await restoreBackup(db, backup, { replace: false, verify: true }).finally(backup.close);
  // as its advice says: what was restored is distributed
  if (clusterServers() && !options.embedded) await distribute(forSystem(db));
  return startTestApp({ overrides: { db } });
}

describe.each([
  { kind: 'the embedded database', embedded: true },
  { kind: 'the database of this run', embedded: false },
])('a backup in $kind', ({ embedded }) => {
  it('gives a service with everything in it, which goes on', async () => {
    const copy = await restored(file, { embedded });
    for (const [path, body] of expected) expect((await copy.call('GET', path)).body, path).toEqual(body);
    const original = await copy.call('GET', '/projects/cafe/files/large.pdf/content');
    expect(original.bytes.equals(LARGE)).toBe(true);
    const question = { query: 'calibrating the grinder' };
    const found = await copy.call('POST', '/projects/cafe/search', question);
    expect(found.status).toBe(200);
    expect(found.body.data).toEqual((await app.call('POST', '/projects/cafe/search', question)).body.data);
    expect((await copy.call('POST', '/projects', { id: 'new', name: 'New' })).status).toBe(201);
    expect((await copy.upload('cafe', { 'new.md': '# New\n\nWords.\n' })).status).toBe(201);
    await copy.settle();
    await copy.close();
  });
});

it('is of one moment: what is written while it is read is not in it', async () => {
  const stream = await writeBackup(app.db, { withCache: true });
  await app.call('POST', '/projects', { id: 'later', name: 'Later' });
  const path = join(folder, 'moment.backup');
  await writeFile(path, stream);
  const copy = await restored(path, { embedded: true });
  // a cluster has no moment of all its nodes: each is read from when it is first asked
  expect((await copy.call('GET', '/projects/later')).status).toBe(clusterServers() ? 200 : 404);
  expect((await app.call('GET', '/projects/later')).status).toBe(200);
  const back = join(folder, 'back.backup');
  await writeFile(back, await writeBackup(copy.db, { withCache: true }));
  const again = await restored(back, { embedded: false });
  expect((await again.call('GET', '/projects/cafe')).body).toEqual(expected.get('/projects/cafe'));
  await again.close();
  await copy.close();
});

it('gives no number of an event again, neither of one that is gone nor of one that came after the backup', async () => {
  const numberOf = async ({ call }: TestApp) =>
    (await call('GET', '/projects/cafe/events?after=now')).body.last_id as number;
  await app.call('PATCH', '/projects/cafe', { name: 'Another name' });
  await app.db.query('delete from project_events');
  const path = join(folder, 'numbers.backup');
  await writeFile(path, await writeBackup(app.db, { withCache: false }));
  await app.call('PATCH', '/projects/cafe', { name: 'Yet another' });
  const last = await numberOf(app);

  const copy = await restored(path, { embedded: true });
  expect(await numberOf(copy)).toBe(last - 1);
  await copy.call('PATCH', '/projects/cafe', { name: 'A third' });
  expect(await numberOf(copy)).toBeGreaterThan(last);
  await copy.close();
});

it('leaves the cache of embeddings out when told so, and is verified without', async () => {
  const path = join(folder, 'small.backup');
  await writeFile(path, await writeBackup(app.db, { withCache: false }));
  const backup = await openBackup(path);
  expect(backup.manifest.left_out).toEqual(['embedding_cache']);
  await verifyBackup(backup).finally(backup.close);
});

it('goes into no database that is in use, unless it is told to replace what is there', async () => {
  const db = await openUndistributedDatabase();
  const other = await startTestApp({ overrides: { db } });
  await other.call('POST', '/projects', { id: 'mine', name: 'Mine' });
  const backup = await openBackup(file);
  await expect(restoreBackup(db, backup, { replace: false, verify: true })).rejects.toThrow(
    'not empty: it has',
  );
  expect((await other.call('GET', '/projects/mine')).status).toBe(200);
  await restoreBackup(db, backup, { replace: true, verify: true }).finally(backup.close);
  expect((await other.call('GET', '/projects/mine')).status).toBe(404);
  expect((await other.call('GET', '/projects/cafe')).status).toBe(200);
  await other.close();
});

it.runIf(clusterServers())('is not put into a database that is distributed over a cluster', async () => {
  const db = await openTestDatabase();
  const backup = await openBackup(file);
  const restore = restoreBackup(db, backup, { replace: true, verify: true }).finally(backup.close);
  await expect(restore).rejects.toThrow('restore into an empty one, and distribute that');
  await db.close();
});

it('is refused when a byte of it is another, or its end is missing, and nothing changes', async () => {
  const bytes = await readFile(file);
  const db = await openUndistributedDatabase();
  const cut = join(folder, 'cut.backup');
  await writeFile(cut, bytes.subarray(0, bytes.length - 100));
  await expect(openBackup(cut)).rejects.toThrow();
  for (const at of [0.2, 0.5, 0.8]) {
    const damaged = Buffer.from(bytes);
    const place = Math.floor(bytes.length * at);
    damaged.set(randomBytes(8), place);
    const path = join(folder, 'damaged.backup');
    await writeFile(path, damaged);
    const restore = async () => {
      const backup = await openBackup(path);
      await restoreBackup(db, backup, { replace: false, verify: true }).finally(backup.close);
    };
    await expect(restore()).rejects.toThrow();
    expect((await db.query('select 1 from projects')).rowCount).toBe(0);
  }
  await db.close();
});

it('is made and restored from the command line, without a service too', async () => {
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  const path = join(folder, 'cli.backup');
  const made = await runForge(['backup', path, '--json'], { url: app.app.listeningOrigin });
  expect(made).toMatchObject({ code: 0 });
  expect(made.json()[0]).toMatchObject({ object: 'backup', path, verified: true });
  const settings = { DATA_DIR: join(folder, 'data') };
  const put = await runForge(['restore', path], { settings });
  expect(put).toMatchObject({ code: 0, stderr: '' });
  expect(put.stdout).toMatch(/rows of \d+ tables/);
  const again = await runForge(['restore', path], { settings });
  expect(again).toMatchObject({ code: 1 });
  expect(again.stderr).toContain('--replace');
  const offline = await runForge(['backup', join(folder, 'offline.backup'), '--json'], { settings });
  expect(offline).toMatchObject({ code: 0 });
});
