import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import yauzl from 'yauzl';
import { archiveInvalid, archiveTooLarge } from './archive-invalid.ts';

/** What an archive of unknown origin may hold; sizes in bytes. */
export interface ZipLimits {
  entries: number;
  /** All entries together, unpacked. */
  unpackedBytes: number;
}

/** An archive whose directory has passed every check. Nothing is unpacked until it is asked for. */
export interface OpenZip {
  /** Names of its files. */
  names: ReadonlySet<string>;
  /** The unpacked bytes of a file, never more than its directory says. */
  read(name: string): AsyncGenerator<Buffer>;
  close(): void;
}

const FILE_TYPE = 0o170000;
const SYMLINK = 0o120000;

const isSymlink = (entry: yauzl.Entry): boolean =>
  ((entry.externalFileAttributes >>> 16) & FILE_TYPE) === SYMLINK;

const unreadable = (cause: unknown) => {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return archiveInvalid(`The archive cannot be read as a ZIP archive: ${reason.replace(/\.$/, '')}.`, cause);
};

/**
 * Opens a ZIP archive of unknown origin. The directory is read as a whole: names that lead out of the archive, links,
 * passwords, two entries of one name, and sizes over the limits are refused before anything is unpacked; that an entry
 * unpacks to no more than the directory says is watched while it does.
 *
 * @throws AppError `archive_invalid`, `archive_too_large`
 */
export async function openZip(path: string, limits: ZipLimits): Promise<OpenZip> {
  const { size } = await stat(path);
  const zip = await yauzl
    .openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true })
    .catch((error: unknown) => {
      throw unreadable(error);
    });
  try {
    const entries = await directory(zip, limits, size);
    return {
      names: new Set(entries.keys()),
      read: (name) => unpacked(zip, entries, name),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function directory(
  zip: yauzl.ZipFile,
  limits: ZipLimits,
  size: number,
): Promise<Map<string, yauzl.Entry>> {
  if (zip.entryCount > limits.entries) {
    throw archiveTooLarge(`The archive has ${zip.entryCount} entries, and may have ${limits.entries}.`);
  }
  const entries = new Map<string, yauzl.Entry>();
  let packed = 0;
  let unpackedBytes = 0;
  for await (const entry of listed(zip)) {
    const name = entry.fileName;
    packed += entry.compressedSize;
    unpackedBytes += entry.uncompressedSize;
    // entries that share their bytes unpack to far more than there is of the archive
    if (packed > size) throw archiveInvalid('The entries of the archive overlap.');
    if (unpackedBytes > limits.unpackedBytes) {
      throw archiveTooLarge(`The archive unpacks to more than ${limits.unpackedBytes} bytes.`);
    }
    if (entry.isEncrypted())
      throw archiveInvalid(`"${name}" is encrypted: an archive must have no password.`);
    if (isSymlink(entry)) throw archiveInvalid(`"${name}" is a link.`);
    if (name.endsWith('/')) continue;
    if (entries.has(name)) throw archiveInvalid(`"${name}" is in the archive twice.`);
    entries.set(name, entry);
  }
  return entries;
}

async function* listed(zip: yauzl.ZipFile): AsyncGenerator<yauzl.Entry> {
  try {
    yield* zip.eachEntry();
  } catch (error) {
    throw unreadable(error);
  }
}

async function* unpacked(
  zip: yauzl.ZipFile,
  entries: ReadonlyMap<string, yauzl.Entry>,
  name: string,
): AsyncGenerator<Buffer> {
  const entry = entries.get(name);
  if (!entry) throw archiveInvalid(`"${name}" is missing from the archive.`);
  let stream: Readable | undefined;
  try {
    stream = await zip.openReadStreamPromise(entry);
    yield* stream as AsyncIterable<Buffer>;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw archiveInvalid(`"${name}" cannot be unpacked: ${reason.replace(/\.$/, '')}.`, error);
  } finally {
    stream?.destroy();
  }
}
