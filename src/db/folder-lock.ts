import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { prepareDataFolder } from './data-folder.ts';

/** How often the holder touches its lock, and after how long without it another host's lock counts as left behind. */
const HEARTBEAT_MS = 5_000;
const STALE_MS = 20_000;

export const LOCK_FILE = 'forge.lock';

interface Holder {
  host: string;
  pid: number;
  /** Start time of the process, so that a reused pid is not taken for the holder; null where it cannot be told. */
  started: string | null;
}

function processStart(pid: number): string | null {
  try {
    // field 22 of /proc/PID/stat; the command name before it may hold spaces, hence the cut at the last parenthesis
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
    return fields?.[19] ?? null;
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isHeld(path: string): boolean {
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8')) as Holder;
    if (holder.host === hostname()) {
      return isRunning(holder.pid) && processStart(holder.pid) === holder.started;
    }
    return Date.now() - statSync(path).mtimeMs < STALE_MS;
  } catch {
    return false; // gone, or cut off while it was written
  }
}

/**
 * Takes the folder for this process: the embedded database has no lock of its own, and two processes on one folder
 * lose each other's rows without a word.
 *
 * @returns releases the folder
 * @throws Error when a live process holds it, or this one may not write there
 */
export function lockFolder(directory: string): () => void {
  prepareDataFolder(directory);
  const path = join(directory, LOCK_FILE);
  const holder: Holder = { host: hostname(), pid: process.pid, started: processStart(process.pid) };
  for (let attempt = 0; ; attempt++) {
    try {
      writeFileSync(path, JSON.stringify(holder), { flag: 'wx' });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (attempt > 0 || isHeld(path)) {
        throw new Error(
          `the data folder ${directory} is in use by another Forge process: stop it, or set DATA_DIR to another folder`,
        );
      }
      rmSync(path, { force: true });
    }
  }
  const heartbeat = setInterval(() => {
    try {
      utimesSync(path, new Date(), new Date());
    } catch {
      // the folder was removed under us: there is nothing left to protect
    }
  }, HEARTBEAT_MS);
  heartbeat.unref();
  return () => {
    clearInterval(heartbeat);
    rmSync(path, { force: true });
  };
}
