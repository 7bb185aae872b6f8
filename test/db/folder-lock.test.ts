import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockFolder } from '../../src/db/folder-lock.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'forge-lock-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const lockPath = () => join(directory, 'forge.lock');

it('refuses a folder that a live process holds, and names what to do', () => {
  const release = lockFolder(directory);
  expect(() => lockFolder(directory)).toThrow(/in use by another Forge process.*DATA_DIR/);
  release();
  lockFolder(directory)();
});

it.each([
  ['a process that is gone', { host: hostname(), pid: 2 ** 30, started: '1' }],
  ['another process that got the same pid', { host: hostname(), pid: process.pid, started: 'earlier' }],
])('takes over the lock of %s', (_of, holder) => {
  writeFileSync(lockPath(), JSON.stringify(holder));
  const release = lockFolder(directory);
  expect(JSON.parse(readFileSync(lockPath(), 'utf8'))).toMatchObject({ pid: process.pid });
  release();
});

it('takes over a lock that was cut off while it was written', () => {
  writeFileSync(lockPath(), '{"host":');
  lockFolder(directory)();
});

it('respects a fresh lock of another host, which cannot be looked into', () => {
  writeFileSync(lockPath(), JSON.stringify({ host: 'elsewhere', pid: 1, started: null }));
  expect(() => lockFolder(directory)).toThrow('in use');
});
