import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';

/** Bytes that were read to their end, hashed while they came. */
export interface ReceivedBytes {
  bytes: Buffer;
  /** sha-256, hex. */
  sha256: string;
}

/** One file part of a multipart body, read to its end. */
export interface UploadedPart {
  name: string | undefined;
  /** The bytes, or why they were refused. */
  content: ReceivedBytes | { refused: AppError };
  /** The plain fields that stood before it, as text. */
  fields: Readonly<Record<string, string>>;
}

export interface UploadLimits {
  fileBytes: number;
  bodyBytes: number;
}

/** A body holds the largest file four times, and what stands around the parts. */
export const uploadLimits = (maxUploadBytes: number): UploadLimits => ({
  fileBytes: maxUploadBytes,
  bodyBytes: 4 * maxUploadBytes + 1024 * 1024,
});

const tooLarge = (name: string | undefined, limit: number): AppError =>
  new AppError('file_too_large', {
    detail: `${name ? `"${name}"` : 'The file'} is over the limit of ${limit} bytes. Nothing of it was stored. Split it, or upload a smaller one.`,
  });

const tooManyParts = (cause: unknown): AppError =>
  new AppError('too_many_files', {
    detail:
      'The upload holds more files than one request may. Nothing of it was stored. Send them in several requests.',
    cause,
  });

const declaredLength = (request: FastifyRequest): number | undefined => {
  const header = request.headers['content-length'];
  return header === undefined ? undefined : Number(header);
};

/**
 * Reads a stream into one buffer. With its length foretold each chunk is put in its place, so that the bytes are in memory
 * once; else they are joined at the end.
 */
async function receive(stream: AsyncIterable<Buffer>, atMost: number | undefined): Promise<ReceivedBytes> {
  const hash = createHash('sha256');
  const chunks: Buffer[] = [];
  // pages that are not written to take no memory
  const whole = atMost === undefined ? null : Buffer.allocUnsafeSlow(atMost);
  let length = 0;
  for await (const chunk of stream) {
    hash.update(chunk);
    if (whole && length + chunk.length <= whole.length) whole.set(chunk, length);
    else chunks.push(chunk);
    length += chunk.length;
  }
  const sha256 = hash.digest('hex');
  if (!whole || chunks.length > 0) {
    const start = whole
      ? [whole.subarray(0, length - chunks.reduce((sum, chunk) => sum + chunk.length, 0))]
      : [];
    return { bytes: Buffer.concat([...start, ...chunks]), sha256 };
  }
  const bytes = whole.subarray(0, length);
  // a view that is sent to another thread takes all of its memory along
  return { bytes: length < whole.length / 2 ? Buffer.from(bytes) : bytes, sha256 };
}

/**
 * Ends the current part with an error as soon as more of a body has come than all its parts may have: a body without a
 * declared length could go on for ever.
 */
function guardLength(request: FastifyRequest, limits: UploadLimits) {
  const { raw } = request;
  let seen = 0;
  let current: { destroy(error: Error): void } | undefined;
  const count = (chunk: Buffer) => {
    seen += chunk.length;
    if (seen > limits.bodyBytes) current?.destroy(tooLarge(undefined, limits.fileBytes));
  };
  raw.on('data', count);
  return {
    watch(stream: { destroy(error: Error): void }): void {
      current = stream;
      if (seen > limits.bodyBytes) stream.destroy(tooLarge(undefined, limits.fileBytes));
    },
    end: () => raw.off('data', count),
  };
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/**
 * The file parts of an upload one after another, each held in memory until the next is asked for; a part over the limit
 * is dropped while it streams.
 *
 * @throws AppError when the body is not multipart, is larger than all its parts may be, or ends in the middle
 */
export async function* uploadedParts(
  request: FastifyRequest,
  limits: UploadLimits,
): AsyncGenerator<UploadedPart> {
  if (!request.isMultipart()) {
    throw new AppError('unsupported_request_type', {
      detail: 'An upload is multipart/form-data with the file in a part named "file".',
    });
  }
  const declared = declaredLength(request);
  if (declared !== undefined && declared > limits.bodyBytes) throw tooLarge(undefined, limits.fileBytes);
  const atMost = declared === undefined ? undefined : Math.min(declared, limits.fileBytes);
  const fields = new Map<string, string>();
  const guard = guardLength(request, limits);
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') {
        fields.set(part.fieldname, textOf(part.value));
        continue;
      }
      guard.watch(part.file);
      const content = await receive(part.file, atMost);
      // true only once the stream was read to its end
      const cut = part.file.truncated;
      yield {
        name: part.filename,
        content: cut ? { refused: tooLarge(part.filename, limits.fileBytes) } : content,
        fields: Object.fromEntries(fields),
      };
    }
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    if (code === 'FST_FILES_LIMIT') throw tooManyParts(error);
    if (error instanceof AppError || code?.startsWith('FST_')) throw error;
    if (/multipart|boundary|form|premature|aborted|header/i.test(message ?? '')) {
      throw new AppError('invalid_request', {
        detail: 'The multipart body is broken or ended early. Send it again, whole.',
        cause: error,
      });
    }
    throw error;
  } finally {
    guard.end();
  }
}

/**
 * The body of a request as it came, whatever its type.
 *
 * @throws AppError `file_too_large` as soon as it is over the limit, before anything is read where its length says so
 */
export async function uploadedBody(
  request: FastifyRequest,
  name: string,
  limits: UploadLimits,
): Promise<ReceivedBytes> {
  const declared = declaredLength(request);
  if (declared !== undefined && declared > limits.fileBytes) throw tooLarge(name, limits.fileBytes);
  async function* limited(): AsyncGenerator<Buffer> {
    let seen = 0;
    for await (const chunk of request.raw as AsyncIterable<Buffer>) {
      seen += chunk.length;
      if (seen > limits.fileBytes) throw tooLarge(name, limits.fileBytes);
      yield chunk;
    }
  }
  return receive(limited(), declared);
}
