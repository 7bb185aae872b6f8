import type { FastifyRequest } from 'fastify';
import { z } from 'zod';

/** Headers of the operations that give parts of a file, for their schema. */
export const rangeHeaders = z.object({
  range: z
    .string()
    .optional()
    .describe('A single range of bytes: `bytes=0-499`, `bytes=500-`, `bytes=-500`.'),
  'if-range': z
    .string()
    .optional()
    .describe('The `ETag` that the range is of: all of the file is sent where it is another one by now.'),
});

/** Bytes from `start` to `end`, exclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

const SINGLE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/**
 * The part of a representation that `Range` asks for (RFC 9110, 14): null for all of it, which is also the answer to what
 * is not understood (several ranges, other units) and to an `If-Range` of another representation.
 *
 * @param size bytes of the whole
 */
export function requestedRange(
  request: FastifyRequest,
  size: number,
  etag: string,
): ByteRange | 'unsatisfiable' | null {
  const condition = request.headers['if-range'];
  if (condition !== undefined && condition !== etag) return null;
  const [, first = '', last = ''] = SINGLE.exec((request.headers.range ?? '').replace(/\s/g, '')) ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size : Math.min(size, Number(last) + 1) };
}
