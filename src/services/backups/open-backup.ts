import { createHash } from 'node:crypto';
import { decode, readLines } from '../../archive/lines.ts';
import { parseAs } from '../../archive/open-archive.ts';
import { type OpenZip, openZip } from '../../archive/read-zip.ts';
import { readMigrations } from '../../db/migrate.ts';
import { BackupError } from './backup-error.ts';
import {
  BACKUP_FORMAT_VERSION,
  type BackupManifest,
  backupHeadSchema,
  backupManifestSchema,
  MANIFEST,
  tableEntry,
} from './format.ts';

/** There are as many entries as tables; a text has at most the length that JavaScript knows. */
const LIMITS = { entries: 1_000, unpackedBytes: Number.POSITIVE_INFINITY };
const LINE_BYTES = 512 * 1024 * 1024;

/** A backup whose manifest has been read. */
export interface Backup {
  manifest: BackupManifest;
  /**
   * The lines of a table.
   *
   * @throws when they are not what the manifest says; the last of them may be out before that is known
   */
  lines(table: string): AsyncGenerator<string>;
  close(): void;
}

/** @throws BackupError when it is none, or one that this version cannot read */
export async function openBackup(path: string): Promise<Backup> {
  const zip = await openZip(path, LIMITS);
  try {
    const manifest = await readManifest(zip);
    return { manifest, lines: (table) => checkedLines(zip, manifest, table), close: zip.close };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function readManifest(zip: OpenZip): Promise<BackupManifest> {
  if (!zip.names.has(MANIFEST))
    throw new BackupError('it has no manifest: it is no backup, or not a whole one');
  const pieces: Buffer[] = [];
  for await (const piece of zip.read(MANIFEST)) pieces.push(piece);
  const json: unknown = JSON.parse(decode(Buffer.concat(pieces), MANIFEST));
  const head = parseAs(backupHeadSchema, json, MANIFEST);
  const tooNew = `it was made by Forge ${head.forge_version}, which is newer: restore it with that version or a later one`;
  if (head.format_version > BACKUP_FORMAT_VERSION) throw new BackupError(tooNew);
  const manifest = parseAs(backupManifestSchema, json, MANIFEST);
  const known = new Map((await readMigrations()).map(({ name, sha256 }) => [name, sha256]));
  for (const { name, sha256 } of manifest.migrations) {
    if (!known.has(name)) throw new BackupError(tooNew);
    if (known.get(name) !== sha256)
      throw new BackupError(`its schema is another one: ${name} is not the same`);
  }
  return manifest;
}

async function* checkedLines(zip: OpenZip, manifest: BackupManifest, table: string): AsyncGenerator<string> {
  const path = tableEntry(table);
  const hash = createHash('sha256');
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const piece of zip.read(path)) {
      hash.update(piece);
      yield piece;
    }
  }
  for await (const { text } of readLines(hashed(), path, LINE_BYTES)) yield text;
  const entry = manifest.entries.find((each) => each.path === path);
  if (entry?.sha256 === hash.digest('hex')) return;
  throw new BackupError(`${path} is damaged, or was changed after the backup was made`);
}
