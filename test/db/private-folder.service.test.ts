import { chmod, lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';

let folder: string;
const umask = process.umask();
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-private-'));
});
afterEach(async () => {
  process.umask(umask);
  await rm(folder, { recursive: true, force: true });
});

/** What others than the owner may do, by path: nothing, if all is well. */
async function openToOthers(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true });
  const paths = [directory, ...entries.map((name) => join(directory, name))];
  const modes = await Promise.all(paths.map(async (path) => ((await lstat(path)).mode & 0o077) !== 0));
  return paths.filter((_, index) => modes[index]);
}

it('makes files that only their owner can read or write, and mends those that others can', async () => {
  const dataDir = join(folder, 'data');
  await (await openDatabase({ url: undefined, dataDir, poolSize: 1 })).close();
  expect(await openToOthers(dataDir)).toEqual([]);
  await chmod(dataDir, 0o777);
  await chmod(join(dataDir, 'postgres', 'base'), 0o755);
  await chmod(join(dataDir, 'postgres', 'PG_VERSION'), 0o666);
  await (await openDatabase({ url: undefined, dataDir, poolSize: 1 })).close();
  expect(await openToOthers(dataDir)).toEqual([]);
});

it('leaves a folder that holds other things as it is', async () => {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'notes.txt'), 'mine', { mode: 0o644 });
  await chmod(folder, 0o755);
  const db = await openDatabase({ url: undefined, dataDir: folder, poolSize: 1 });
  const open = await openToOthers(folder);
  await db.close();
  expect(open).toEqual([folder, join(folder, 'notes.txt')]);
});
