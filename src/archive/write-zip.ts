import { createHash } from 'node:crypto';
import { type PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { ArchiveEntry } from './format.ts';

/** An entry that is to be written. */
export interface NewEntry {
  path: string;
  /** False for what is compressed as it is. */
  compress: boolean;
  /** Its bytes, asked for when its turn has come. */
  content(): AsyncIterable<Buffer>;
}

/**
 * A ZIP archive as a stream, written as fast as it is read: one entry at a time, of which no more is held than the pieces
 * that are on their way. Its last entry is the manifest, which names every other one with its hash.
 *
 * When an entry's bytes fail to come the stream ends with that error and without the archive's directory, so that what has
 * arrived is no archive.
 *
 * @param manifest its name, and its text given what the other entries turned out to be
 */
export function writeZip(
  entries: Iterable<NewEntry>,
  manifest: { path: string; content(written: readonly ArchiveEntry[]): string },
): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const written: ArchiveEntry[] = [];
  let current: Readable | undefined;
  output.once('close', () => current?.destroy());

  const add = (path: string, compress: boolean, content: () => AsyncIterable<Buffer>) =>
    zip.addReadStreamLazy(path, { compress }, (give) => {
      if (output.destroyed) return;
      current = Readable.from(content(), { objectMode: false });
      current.once('error', (error) => output.destroy(error));
      give(null, current);
    });

  zip.once('error', (error) => output.destroy(error));
  for (const { path, compress, content } of entries) {
    add(path, compress, () => hashed(path, content(), (entry) => written.push(entry)));
  }
  add(manifest.path, true, async function* () {
    yield Buffer.from(manifest.content(written));
  });
  zip.end();
  return output;
}

/** Passes bytes through, and tells at their end what they were. */
async function* hashed(
  path: string,
  content: AsyncIterable<Buffer>,
  onEnd: (entry: ArchiveEntry) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of content) {
    hash.update(piece);
    bytes += piece.length;
    yield piece;
  }
  onEnd({ path, bytes, sha256: hash.digest('hex') });
}
