import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CliError, EXIT } from './exit.ts';

export interface SaveOptions {
  /** Looks at the whole file before it has its name. */
  check?: (path: string) => Promise<void>;
  signal?: AbortSignal;
}

/** The body of an answer, to be read piece by piece. */
export const bodyOf = (response: Response): Readable =>
  Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);

/**
 * Writes what comes under another name first: a file of the asked name is always a whole one.
 *
 * @returns its length in bytes
 * @throws CliError when it cannot be written
 */
export async function saveFile(
  content: Readable,
  path: string,
  { check, signal }: SaveOptions = {},
): Promise<number> {
  const partial = `${path}.part`;
  // only its owner is to read it, and it is to be there after a power failure
  const file = createWriteStream(partial, { mode: 0o600, flush: true });
  try {
    await pipeline(content, file, { ...(signal && { signal }) });
    await check?.(partial);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    if (error instanceof CliError || signal?.aborted) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(EXIT.failed, `${path} cannot be written: ${reason}`, error);
  }
  return file.bytesWritten;
}
