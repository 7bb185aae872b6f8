import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';

/** One file part of a multipart body, read to its end. */
export interface UploadedPart {
  name: string | undefined;
  /** The bytes, or why they were refused. */
  content: { bytes: Buffer } | { refused: AppError };
}

const tooLarge = (name: string | undefined, limit: number): AppError =>
  new AppError('file_too_large', {
    detail: `${name ? `"${name}"` : 'The file'} is over the limit of ${limit} bytes. Nothing of it was stored. Split it, or upload a smaller one.`,
  });

async function readPart(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * The file parts of an upload one after another, each held in memory until the next is asked for; a part over the limit
 * is dropped while it streams.
 *
 * @throws AppError when the body is not multipart, is larger than all its parts may be, or ends in the middle
 */
export async function* uploadedParts(
  request: FastifyRequest,
  limits: { fileBytes: number; bodyBytes: number },
): AsyncGenerator<UploadedPart> {
  if (!request.isMultipart()) {
    throw new AppError('unsupported_request_type', {
      detail: 'An upload is multipart/form-data with the file in a part named "file".',
    });
  }
  if (Number(request.headers['content-length'] ?? 0) > limits.bodyBytes)
    throw tooLarge(undefined, limits.fileBytes);
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue;
      const bytes = await readPart(part.file);
      // true only once the stream was read to its end
      const cut = part.file.truncated;
      yield {
        name: part.filename,
        content: cut ? { refused: tooLarge(part.filename, limits.fileBytes) } : { bytes },
      };
    }
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    if (error instanceof AppError || code?.startsWith('FST_')) throw error;
    if (/multipart|boundary|form|premature|aborted|header/i.test(message ?? '')) {
      throw new AppError('invalid_request', {
        detail: 'The multipart body is broken or ended early. Send it again, whole.',
        cause: error,
      });
    }
    throw error;
  }
}
