import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError, wrongField } from '../../errors.ts';

const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)"?/i;
const KNOWN_CHARSETS = ['utf-8', 'utf8', 'us-ascii'];

/** What a body comes in that would have to be undone before it is read. */
function assertReadable({ headers }: FastifyRequest): void {
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'identity') {
    throw new AppError('unsupported_request_type', {
      detail: `The body comes with the Content-Encoding "${coding}". Send it as it is, without compressing it.`,
    });
  }
  const type = headers['content-type'] ?? '';
  const charset = JSON_TYPE.test(type) ? CHARSET.exec(type)?.[1] : undefined;
  if (charset !== undefined && !KNOWN_CHARSETS.includes(charset.toLowerCase())) {
    throw new AppError('unsupported_request_type', {
      detail: `JSON is UTF-8; the charset "${charset}" is not read. Send the body in UTF-8.`,
    });
  }
}

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/** Parameters that no text can be made of, or that no database keeps. */
function assertQuery({ url, query }: FastifyRequest): void {
  const at = url.indexOf('?');
  if (at >= 0 && !isDecodable(url.slice(at + 1))) {
    throw new AppError('invalid_request', {
      detail: 'The parameters are not percent-encoded UTF-8. Encode them, a "%" as "%25".',
    });
  }
  for (const [name, value] of Object.entries(query as Record<string, unknown>)) {
    if (![name, value].flat().some((text) => String(text).includes('\u0000'))) continue;
    throw wrongField('invalid_request', {
      pointer: name.replaceAll('\u0000', ''),
      detail: 'A parameter must not hold the character NUL.',
      code: 'invalid_format',
    });
  }
}

/**
 * Refuses what would be read as something else than was sent: bodies that are compressed or in another charset, and
 * parameters that are no text. An operation without parameters takes none.
 */
export function refuseUnreadable(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    assertReadable(request);
    assertQuery(request);
  });
  app.addHook('onRoute', (route) => {
    if (route.schema === undefined || 'hide' in route.schema) return;
    route.schema.querystring ??= z.strictObject({});
  });
}
