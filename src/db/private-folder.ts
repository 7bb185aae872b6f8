import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { prepareDataFolder } from './data-folder.ts';
import { LOCK_FILE } from './folder-lock.ts';

/** Where in the data folder the embedded database is. */
export const DATABASE_FOLDER = 'postgres';

const OWNER_ONLY = 0o077;
const OURS = new Set([LOCK_FILE, DATABASE_FOLDER]);

/** Takes from a file or folder what others than its owner may do with it. */
function withdraw(path: string): void {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink() || (stats.mode & OWNER_ONLY) === 0) return;
  try {
    chmodSync(path, stats.mode & 0o7777 & ~OWNER_ONLY);
  } catch (error) {
    // a mounted volume may be another user's, who says who gets in
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

function withdrawBelow(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    withdraw(path);
    if (entry.isDirectory()) withdrawBelow(path);
  }
}

/**
 * Sees to it that nobody but the owner of the process can read what is in the data folder, or write it: the embedded database
 * asks for files that everyone may write. From here on the process makes no others; those of before are mended.
 *
 * @param dataDir is made if it is not there; one that holds other things than ours keeps its own permissions
 * @throws Error that says what to do when this process may not use it
 */
export function keepPrivate(dataDir: string): void {
  // a thread cannot say so, and has what its process has
  if (isMainThread) process.umask(OWNER_ONLY);
  prepareDataFolder(dataDir);
  const entries = readdirSync(dataDir);
  if (entries.every((name) => OURS.has(name))) withdraw(dataDir);
  for (const name of entries.filter((entry) => OURS.has(entry))) {
    const path = join(dataDir, name);
    withdraw(path);
    if (name === DATABASE_FOLDER) withdrawBelow(path);
  }
}
