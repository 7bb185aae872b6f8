import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UploadedPart } from './uploads.ts';

type Held = () => Promise<UploadedPart> | UploadedPart;

/**
 * The same parts, the first given only when the last has come: what is done with them is done for a whole upload or not
 * at all. The first is held in memory, since most uploads have one alone, and the others in temporary files.
 *
 * @param onAll called when the last has come; what it throws refuses them all
 */
export async function* heldParts(
  parts: AsyncIterable<UploadedPart>,
  onAll: () => Promise<void>,
): AsyncGenerator<UploadedPart> {
  let folder: string | undefined;
  const held: Held[] = [];
  const hold = async (part: UploadedPart): Promise<Held> => {
    const { content, ...rest } = part;
    if (held.length === 0 || 'refused' in content) return () => part;
    folder ??= await mkdtemp(join(tmpdir(), 'forge-upload-'));
    const path = join(folder, String(held.length));
    await writeFile(path, content.bytes, { mode: 0o600 });
    const { sha256 } = content;
    return async () => ({ ...rest, content: { bytes: await readFile(path), sha256 } });
  };
  try {
    for await (const part of parts) held.push(await hold(part));
    await onAll();
    for (let next = held.shift(); next; next = held.shift()) yield await next();
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}
