import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const USE = constants.R_OK | constants.W_OK | constants.X_OK;

/** The folder itself or, where it could not be made, the nearest one above it that is there. */
function nearest(path: string): string {
  return existsSync(path) ? path : nearest(dirname(path));
}

/**
 * What to do about a folder that this process may not use; the error itself says only that it may not.
 *
 * @param code of the operating system, such as EACCES
 */
export function folderAdvice(directory: string, code: string | undefined): string | undefined {
  const other = 'or set DATA_DIR to another folder';
  if (code === 'EROFS') {
    return `the data folder ${directory} is on a read-only file system: mount a volume there, ${other}`;
  }
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    return `the data folder ${directory} cannot be made: ${nearest(directory)} is a file. Move it away, ${other}`;
  }
  if (code === 'ENOSPC') {
    return `the data folder ${directory} cannot be made: its disk is full. Make room, ${other}`;
  }
  if (code !== 'EACCES' && code !== 'EPERM') return undefined;
  const path = nearest(directory);
  const { uid, gid, mode } = statSync(path);
  const [user, group] = [process.geteuid?.(), process.getegid?.()];
  return (
    `the data folder ${directory} cannot be written to: this process is user ${user}, group ${group}; ${path} belongs to ` +
    `user ${uid}, group ${gid}, with mode ${(mode & 0o7777).toString(8)}. Hand it over with ` +
    `\`chown -R ${user}:${group} ${path}\` (of a container: on the folder or volume that is mounted there), ${other}`
  );
}

/**
 * Makes the folder where it is not there, and makes sure that this process may use it.
 *
 * @throws Error that says who may not, whose it is and what to do
 */
export function prepareDataFolder(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true });
    accessSync(directory, USE);
  } catch (error) {
    const advice = folderAdvice(directory, (error as NodeJS.ErrnoException).code);
    throw advice === undefined ? error : new Error(advice, { cause: error });
  }
}
