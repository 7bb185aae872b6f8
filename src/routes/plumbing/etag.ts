import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';

/** Header of the operations that answer 304, for their schema. */
export const ifNoneMatchHeaders = z.object({
  'if-none-match': z
    .string()
    .optional()
    .describe('An `ETag` that you have: the answer is 304, without a body, while it is still that one.'),
});

/** Header of the operations that change only what was read, for their schema. */
export const ifMatchHeaders = z.object({
  'if-match': z
    .string()
    .optional()
    .describe(
      'The `ETag` of what you have read, or `*`: the change is made only while it is still that, else refused with 412. Every change is made without it.',
    ),
});

/** The entity tag of a numbered state of a resource. */
export const etagOf = (version: number | string): string => `"${version}"`;

const tagsOf = (header: string): string[] => header.split(',').map((tag) => tag.trim());

/**
 * Whether `If-Match` allows a change of what is now `etag`; without the header, every change is allowed. A weak tag (`W/`) is none
 * that matches: it says of bytes that they may be others (RFC 9110, 13.1.1).
 */
export function ifMatchAllows(request: FastifyRequest, etag: string): boolean {
  const header = request.headers['if-match'];
  if (header === undefined) return true;
  return tagsOf(header).some((tag) => tag === '*' || tag === etag);
}

/** Whether the caller has `etag` already (`If-None-Match`, also of a weak one), so that 304 says it all (RFC 9110, 13.1.2). */
export function isUnchanged(request: FastifyRequest, etag: string): boolean {
  const header = request.headers['if-none-match'];
  return (
    header !== undefined && tagsOf(header).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)
  );
}

/** Has every 304 come without a body, and without the length and type of one (RFC 9110, 15.4.5). */
export function emptyUnchanged(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    if (reply.statusCode !== 304) return payload;
    reply.removeHeader('content-length').removeHeader('content-type');
    return null;
  });
}
