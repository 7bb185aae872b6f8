import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runForge } from '../helpers/command-line.ts';
import { type FaultDatabase, faultDatabases } from './databases.ts';
import { type Service, startService } from './service.ts';
import { type Row, say } from './table.ts';

// Disasters that an operator practises, with their times: DRILL_MB (20) megabytes of originals.

const ORIGINALS = Math.max(1, Math.round(Number(process.env.DRILL_MB ?? 20) / 5));
const ORIGINAL_BYTES = 5_000_000;

const keyOf = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** What was stored: the sha-256 of each original by its address. */
type Stored = Map<string, string>;

/** Uploads what cannot be read as a PDF, but is kept: the time is that of storing, not of converting. */
async function fill({ url }: Service): Promise<Stored> {
  const stored: Stored = new Map();
  await fetch(`${url}/projects`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'drill', name: 'Drill' }),
  });
  for (let number = 1; number <= ORIGINALS; number += 1) {
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(ORIGINAL_BYTES)]);
    const form = new FormData();
    form.append('file', new Blob([bytes]), `${number}.pdf`);
    const answer = await fetch(`${url}/projects/drill/files`, { method: 'POST', body: form });
    if (!answer.ok) throw new Error(`the upload was answered with ${answer.status}: ${await answer.text()}`);
    stored.set(`/projects/drill/files/${number}.pdf/content`, sha256(bytes));
  }
  return stored;
}

/** What is not there any more as it was stored; empty: all is. */
async function missing({ url }: Service, stored: Stored): Promise<string> {
  for (const [path, hash] of stored) {
    const answer = await fetch(`${url}${path}`);
    if (!answer.ok) return `${path} was answered with ${answer.status}`;
    if (sha256(new Uint8Array(await answer.arrayBuffer())) !== hash) return `${path} is not what was stored`;
  }
  return '';
}

async function forge(
  args: string[],
  where: { url?: string; settings?: Record<string, string> },
): Promise<void> {
  const { code, stderr } = await runForge(args, where);
  if (code !== 0) throw new Error(`forge ${args[0]} ended with ${code}: ${stderr}`);
}

/** Does it, and says how long it took and what of it did not hold. */
async function drill(of: { database: string; drill: string }, work: () => Promise<string>): Promise<Row> {
  const began = performance.now();
  const failed = await work().catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  );
  const seconds = (performance.now() - began) / 1000;
  const row = { ...of, seconds: seconds.toFixed(1), 'MB/s': ((ORIGINALS * 5) / seconds).toFixed(1), failed };
  say(`  ${of.database}: ${of.drill}, ${row.seconds} s`);
  return row;
}

/** Every drill on one database; `other` gets its backup. */
async function practise(from: FaultDatabase, other: FaultDatabase, folder: string): Promise<Row[]> {
  const [first, second] = [keyOf('first'), keyOf('second')];
  const backup = join(folder, `${from.kind}.backup`);
  const rows: Row[] = [];
  const start = (db: FaultDatabase, keys: string) => startService({ ...db.settings, ENCRYPTION_KEYS: keys });
  const practised = async (name: string, work: () => Promise<string>) => {
    rows.push(await drill({ database: from.kind, drill: name }, work));
  };
  let service = await start(from, first);
  const stored = await fill(service);
  try {
    await practised('killed, started again', async () => {
      await service.kill();
      service = await start(from, first);
      return missing(service, stored);
    });
    const { url } = service;
    await practised('backup while it runs', () =>
      forge(['backup', backup, '--no-verify'], { url }).then(() => ''),
    );
    await practised('the same, verified', () => forge(['backup', backup], { url }).then(() => ''));
  } finally {
    await service.stop();
  }
  await practised(`restored: ${other.kind}`, async () => {
    await forge(['restore', backup], { settings: other.settings });
    const restored = await start(other, first);
    return missing(restored, stored).finally(restored.stop);
  });
  await practised('key rotated', async () => {
    const settings = { ...from.settings, ENCRYPTION_KEYS: `${second},${first}` };
    await forge(['encryption', 'rotate'], { settings });
    const rotated = await start(from, second);
    return missing(rotated, stored).finally(rotated.stop);
  });
  return rows;
}

/** Backups, restoring and keys, on each database, and from each into the other. */
export async function practiseSafety(): Promise<Row[]> {
  const open = faultDatabases();
  const folder = await mkdtemp(join(tmpdir(), 'forge-drill-'));
  const rows: Row[] = [];
  try {
    for (const [index, openFrom] of open.entries()) {
      const from = await openFrom();
      const other = await (open[(index + 1) % open.length] ?? openFrom)();
      try {
        rows.push(...(await practise(from, other, folder)));
      } finally {
        await from.remove();
        await other.remove();
      }
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
