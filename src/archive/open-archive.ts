import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { check, parameterName } from '../checking/check.ts';
import { whyNotJson } from '../checking/json-text.ts';
import { AppError } from '../errors.ts';
import { archiveInvalid, archiveTooLarge } from './archive-invalid.ts';
import {
  ARCHIVE_FORMAT_VERSION,
  type ArchiveEntry,
  ENTRIES,
  type Manifest,
  manifestHeadSchema,
  manifestSchema,
} from './format.ts';
import { decode, readLines } from './lines.ts';
import { type OpenZip, openZip, type ZipLimits } from './read-zip.ts';

/** What an archive may hold; sizes in bytes. */
export interface ArchiveLimits extends ZipLimits {
  /** Of an entry that is read as one, such as the manifest or the state. */
  documentBytes: number;
  /** Of a line of JSON Lines. */
  lineBytes: number;
}

/** An archive every byte of which is what its manifest says. */
export interface Archive {
  manifest: Manifest;
  /** What the manifest says of an entry; undefined when there is none of this name. */
  entry(path: string): ArchiveEntry | undefined;
  /** The entries of a kind that this version does not know, which are passed over. */
  unknown(known: ReadonlySet<string>): string[];
  /** The bytes of an entry, some at a time. */
  bytes(path: string): AsyncGenerator<Buffer>;
  /** An entry as text, whole. */
  text(path: string): Promise<string>;
  /** An entry that is one JSON document. */
  json(path: string): Promise<unknown>;
  /** An entry of JSON Lines, each line by its schema. */
  lines<T>(path: string, schema: z.ZodType<T>): AsyncGenerator<{ line: number; value: T }>;
  close(): void;
}

/**
 * Opens an archive and compares all of it with its manifest: every entry is there, none is there besides, and each has the
 * bytes and the hash that it is to have.
 *
 * @throws AppError `archive_invalid` naming the entry, `archive_too_new`, `archive_too_large`
 */
export async function openArchive(path: string, limits: ArchiveLimits): Promise<Archive> {
  const zip = await openZip(path, limits);
  try {
    const manifest = await readManifest(zip, limits);
    const entries = new Map(manifest.entries.map((entry) => [entry.path, entry]));
    await verify(zip, manifest, entries);
    return {
      manifest,
      entry: (name) => entries.get(name),
      unknown: (known) => [...entries.keys()].filter((name) => !known.has(name)),
      bytes: (name) => zip.read(name),
      text: (name) => readText(zip, name, entries.get(name)?.bytes ?? 0),
      json: (name) => readJson(zip, name, limits.documentBytes),
      async *lines(name, schema) {
        for await (const { line, text } of readLines(zip.read(name), name, limits.lineBytes)) {
          const where = `${name}, line ${line}`;
          yield { line, value: parseAs(schema, parseJson(text, where), where) };
        }
      },
      close: zip.close,
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/**
 * A value by its schema.
 *
 * @param where begins the sentence that says what is wrong
 * @throws AppError `archive_invalid`
 */
export function parseAs<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const checked = check(schema, value, parameterName);
  if (checked.ok) return checked.value;
  const [{ pointer, detail } = { pointer: '', detail: 'is not valid' }] = checked.errors;
  throw archiveInvalid(`${where}: ${pointer === '' ? '' : `${pointer}: `}${detail}.`);
}

async function readManifest(zip: OpenZip, limits: ArchiveLimits): Promise<Manifest> {
  if (!zip.names.has(ENTRIES.manifest)) {
    throw archiveInvalid(`There is no ${ENTRIES.manifest} in it: this is not an archive of a project.`);
  }
  const json = await readJson(zip, ENTRIES.manifest, limits.documentBytes);
  const head = parseAs(manifestHeadSchema, json, ENTRIES.manifest);
  if (head.format_version > ARCHIVE_FORMAT_VERSION) {
    throw new AppError('archive_too_new', {
      detail:
        `The archive has format version ${head.format_version}, written by Forge ${head.forge_version}; this service reads up to ` +
        `${ARCHIVE_FORMAT_VERSION}. Import it into a service of that version or later. Nothing was stored.`,
    });
  }
  return parseAs(manifestSchema, json, ENTRIES.manifest);
}

async function verify(
  zip: OpenZip,
  manifest: Manifest,
  entries: ReadonlyMap<string, ArchiveEntry>,
): Promise<void> {
  if (entries.size !== manifest.entries.length) {
    throw archiveInvalid(`${ENTRIES.manifest} names an entry twice.`);
  }
  for (const name of zip.names) {
    if (name === ENTRIES.manifest || entries.has(name)) continue;
    throw archiveInvalid(`"${name}" is not in the manifest: the archive was changed after it was made.`);
  }
  for (const { path, bytes, sha256 } of manifest.entries) {
    const hash = createHash('sha256');
    let seen = 0;
    for await (const piece of zip.read(path)) {
      hash.update(piece);
      seen += piece.length;
    }
    if (seen !== bytes || hash.digest('hex') !== sha256) {
      throw archiveInvalid(
        `"${path}" is not what the manifest says: it was damaged or changed after the archive was made.`,
      );
    }
  }
}

async function readText(zip: OpenZip, name: string, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let held = 0;
  for await (const piece of zip.read(name)) {
    held += piece.length;
    if (held > maxBytes) throw archiveTooLarge(`"${name}" has more than ${maxBytes} bytes.`);
    pieces.push(piece);
  }
  return decode(Buffer.concat(pieces), name);
}

const readJson = async (zip: OpenZip, name: string, maxBytes: number): Promise<unknown> =>
  parseJson(await readText(zip, name, maxBytes), name);

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw archiveInvalid(`${where}: is not valid JSON: ${whyNotJson(text)}.`, error);
  }
}
