import { chmodSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { folderAdvice, prepareDataFolder } from '../../src/db/data-folder.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'forge-data-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it('makes the folder with those above it', () => {
  prepareDataFolder(join(directory, 'of', 'forge'));
  expect(existsSync(join(directory, 'of', 'forge'))).toBe(true);
});

it('says who may not write to a folder, whose it is, and what to do', () => {
  chmodSync(directory, 0o750);
  const { uid, gid } = statSync(directory);
  const me = `${process.geteuid?.()}:${process.getegid?.()}`;
  const advice = folderAdvice(directory, 'EACCES');
  expect(advice).toContain(`belongs to user ${uid}, group ${gid}, with mode 750`);
  expect(advice).toContain(`chown -R ${me} ${directory}`);
  expect(advice).toContain('DATA_DIR');
});

it('speaks of the folder above where it could not be made', () => {
  expect(folderAdvice(join(directory, 'of', 'forge'), 'EPERM')).toContain(`; ${directory} belongs to`);
});

it('asks for a volume on a read-only file system', () => {
  expect(folderAdvice('/data', 'EROFS')).toContain('mount a volume');
});

it('says what stands in the way of the folder', () => {
  const file = resolve('package.json');
  for (const folder of [file, join(file, 'data')]) {
    expect(() => prepareDataFolder(folder)).toThrow(`${file} is a file. Move it away, or set DATA_DIR`);
  }
  expect(folderAdvice(directory, 'ENOSPC')).toContain('its disk is full. Make room');
});

it('leaves every other failure as it is', () => {
  expect(folderAdvice(directory, 'EIO')).toBeUndefined();
});
