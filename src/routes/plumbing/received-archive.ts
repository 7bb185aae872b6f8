import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';

/** An archive that was read to its end into a file of its own, which `remove` takes away. */
export interface ReceivedArchive {
  path: string;
  /** The plain fields that stood before it in the form, as text. */
  fields: Readonly<Record<string, string>>;
  /** Of the fields and the bytes: what an idempotency key stands for. */
  digest: string;
  remove(): Promise<void>;
}

const tooLarge = (limit: number): AppError =>
  new AppError('archive_too_large', {
    detail: `The archive is over the limit of ${limit} bytes. Nothing of it was stored. The setting MAX_IMPORT_BYTES raises the limit.`,
  });

const brokenOff = (cause: unknown): AppError =>
  new AppError('archive_invalid', {
    detail: 'The request ended before the archive did. Nothing was stored. Send it again, whole.',
    cause,
  });

/**
 * Writes the archive of a request to a temporary file as it comes: the body itself, or the file part of a form.
 *
 * @param limit in bytes; what is over it is refused as soon as that is known
 * @throws AppError `no_file_part`, `unsupported_request_type`, `archive_too_large`, `archive_invalid` when it is cut off
 */
export async function receiveArchive(request: FastifyRequest, limit: number): Promise<ReceivedArchive> {
  if (Number(request.headers['content-length'] ?? 0) > limit + FORM_BYTES) throw tooLarge(limit);
  const folder = await mkdtemp(join(tmpdir(), 'forge-import-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'archive.zip');
    const { fields, sha256 } = request.isMultipart()
      ? await fromForm(request, path, limit)
      : { fields: {}, sha256: await store(bodyOf(request), path, limit) };
    const digest = createHash('sha256').update(JSON.stringify(fields)).update(sha256).digest('hex');
    return { path, fields, digest, remove };
  } catch (error) {
    await remove();
    if (error instanceof AppError || (error as { code?: string }).code?.startsWith('FST_')) throw error;
    throw isOurs(error) ? error : brokenOff(error);
  }
}

/** What may stand around the file in a form. */
const FORM_BYTES = 1024 * 1024;

/** A failure of this machine's file system, and none of the request. */
const isOurs = (error: unknown): boolean =>
  /^E(NOSPC|ACCES|ROFS|IO|MFILE)$/.test((error as { code?: string }).code ?? '');

function bodyOf(request: FastifyRequest): Readable {
  const type = request.headers['content-type'] ?? '';
  if (/^application\/(zip|x-zip-compressed|octet-stream)\b/i.test(type)) return request.raw;
  throw new AppError('unsupported_request_type', {
    detail:
      'Send the archive as the body with the type application/zip, or as a file in multipart/form-data.',
  });
}

async function fromForm(request: FastifyRequest, path: string, limit: number) {
  const fields: Record<string, string> = {};
  let sha256: string | undefined;
  for await (const part of request.parts({ limits: { fileSize: limit, files: 1 } })) {
    if (part.type === 'field') fields[part.fieldname] = String(part.value);
    else sha256 = await store(part.file, path, limit, () => part.file.truncated);
  }
  if (sha256 !== undefined) return { fields, sha256 };
  throw new AppError('no_file_part', { detail: 'Send the archive as a part named "file" with a file name.' });
}

/** @returns sha-256 of the bytes, hex */
async function store(
  source: Readable,
  path: string,
  limit: number,
  wasCut: () => boolean = () => false,
): Promise<string> {
  const hash = createHash('sha256');
  let seen = 0;
  async function* watched(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      seen += piece.length;
      if (seen > limit) throw tooLarge(limit);
      hash.update(piece);
      yield piece;
    }
  }
  await pipeline(source, watched, createWriteStream(path, { mode: 0o600 }));
  if (wasCut()) throw tooLarge(limit);
  return hash.digest('hex');
}
