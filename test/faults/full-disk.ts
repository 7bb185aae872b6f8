import { execFile } from 'node:child_process';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { call } from './client.ts';
import type { FaultServer } from './postgres.ts';
import { type Service, startService } from './service.ts';
import { harmOf, type Row } from './table.ts';

const run = promisify(execFile);
/** Room for an embedded database and its log, and some more. */
const ROOM_MB = 96;
/** Less than a new one takes. */
const TINY_MB = 20;
const UPLOADS = 60;
const PATIENCE_MS = 60_000;

/** A file system of its own, so big; null where this process may not mount one. */
async function mountSmall(megabytes: number) {
  const folder = await mkdtemp(join(tmpdir(), 'forge-full-'));
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]).then(
    () => true,
    () => false,
  );
  const remove = async (): Promise<void> => {
    if (mounted) await run('umount', ['-l', folder]);
    await rm(folder, { recursive: true, force: true });
  };
  if (mounted) return { folder, remove };
  await remove();
  return null;
}

async function upload(service: Service, name: string): Promise<{ status: number; code: string }> {
  const form = new FormData();
  const words = Array.from({ length: 40_000 }, (_, index) => `${name}${index * 7919}`).join(' ');
  form.set('file', new Blob([words]), name);
  const response = await fetch(`${service.url}/projects/full/files`, {
    method: 'POST',
    headers: { prefer: 'respond-async' },
    body: form,
  });
  return { status: response.status, code: ((await response.json()) as { code?: string }).code ?? '' };
}

/** Fills the disk under a running service, and makes room again. */
async function fillUp(folder: string, settings: Record<string, string>): Promise<string> {
  const service = await startService(settings);
  const ballast = join(folder, 'ballast');
  try {
    await call(service, 'POST', '/projects', { id: 'full', name: 'Full' });
    const kept: string[] = [];
    const send = async (name: string): Promise<{ status: number; code: string }> => {
      const answer = await upload(service, name);
      if (answer.status < 300) kept.push(name);
      return answer;
    };
    const before = await send('before.md');
    if (before.status >= 300) return `while there was room: ${before.status} ${before.code}`;
    const { bavail, bsize } = await statfs(folder);
    await writeFile(ballast, Buffer.alloc(Math.max(0, bavail * bsize - 4 * 2 ** 20)));
    let refused = '';
    for (let number = 0; number < UPLOADS && refused === ''; number += 1) {
      const { status, code } = await send(`file-${number}.md`);
      if (status >= 300) refused = `${status} ${code}`;
    }
    if (refused !== '507 storage_full') return `a full disk was answered with ${refused || 'no refusal'}`;
    const again = await upload(service, 'again.md');
    if (again.status !== 507 && again.status !== 503 && again.status >= 300) return `then ${again.status}`;
    if (again.status < 300) kept.push('again.md');
    await rm(ballast);
    const deadline = Date.now() + PATIENCE_MS;
    while ((await send('after.md')).status >= 300) {
      if (Date.now() > deadline) return 'nothing can be stored although there is room again';
      await delay(500);
    }
    const files = (await call(service, 'GET', '/projects/full/files?limit=100')).body.data;
    const names = new Set(files.map(({ name }: { name: string }) => name));
    const lost = kept.find((name) => !names.has(name));
    return lost === undefined ? '' : `lost: ${lost} was acknowledged and is gone`;
  } finally {
    await rm(ballast, { force: true });
    await service.stop();
  }
}

async function startOnFull(_folder: string, settings: Record<string, string>): Promise<string> {
  const said = await startService(settings).then(
    async (service) => {
      await service.stop();
      return 'it started';
    },
    (error: Error) => error.message,
  );
  return said.includes('no room left on the disk')
    ? ''
    : `a start on a full disk says: ${said.slice(0, 300)}`;
}

/** A database of a server whose tables are on a disk that becomes full. */
export async function fillServerDisk(server: FaultServer): Promise<Row> {
  const fault = 'disk filled, room made';
  const disk = server.placeOn && (await mountSmall(ROOM_MB));
  if (!disk || !server.placeOn) {
    return { fault, skipped: 'this process cannot give this server a small disk', failed: '' };
  }
  const placed = await server.placeOn(disk.folder);
  const failed = await fillUp(disk.folder, { DATABASE_URL: placed.url })
    .finally(placed.remove)
    .finally(disk.remove);
  return { fault, database: 'server', harm: harmOf(failed), failed };
}

/** The embedded database on a disk that is, or becomes, full. */
export async function fillDisk(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [trouble, megabytes, work] of [
    ['disk filled, room made', ROOM_MB, fillUp],
    ['started on a full disk', TINY_MB, startOnFull],
  ] as const) {
    const disk = await mountSmall(megabytes);
    if (!disk) {
      rows.push({ fault: trouble, skipped: 'this process may not mount a small disk', failed: '' });
      continue;
    }
    const failed = await work(disk.folder, { DATA_DIR: join(disk.folder, 'data') }).finally(disk.remove);
    rows.push({ fault: trouble, database: 'embedded', harm: harmOf(failed), failed });
  }
  return rows;
}
