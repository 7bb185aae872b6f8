import type { FastifyInstance, FastifyRequest } from 'fastify';
import { jsonPointer } from '../../checking/check.ts';
import { findJsonFault, whyNotJson } from '../../checking/json-text.ts';
import { AppError, invalidFields } from '../../errors.ts';

type Done = (error: Error | null, value?: unknown) => void;

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** Half of a surrogate pair can only come escaped: UTF-8 has none. */
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

/** Where a text is no Unicode: the path of the first, names of members included; null: nowhere. */
function illFormed(value: unknown): string[] | null {
  const left: { value: unknown; path: string[] }[] = [{ value, path: [] }];
  for (let next = left.pop(); next; next = left.pop()) {
    const { value: found, path } = next;
    if (typeof found === 'string' && !found.isWellFormed()) return path;
    if (typeof found !== 'object' || found === null) continue;
    for (const [name, member] of Object.entries(found)) {
      if (!name.isWellFormed()) return path;
      left.push({ value: member, path: [...path, name] });
    }
  }
  return null;
}

/** Why a body is not taken as JSON. */
function notJson(text: string, cause: Error): AppError {
  const detail =
    findJsonFault(text) === null
      ? 'The body has a member "__proto__" or "constructor", which is not taken, or is nested too deeply.'
      : `The body is not valid JSON: ${whyNotJson(text)}.`;
  return new AppError('invalid_json', { detail, cause });
}

/**
 * Reads JSON, under its own name and as a merge patch (RFC 7396). What cannot be kept as it came is refused, and never
 * altered: bytes that are no UTF-8, and half surrogate pairs.
 */
export function registerJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error') as (
    request: FastifyRequest,
    text: string,
    done: Done,
  ) => void;
  const read = (request: FastifyRequest, body: Buffer, done: Done): void => {
    let text: string;
    try {
      text = utf8.decode(body);
    } catch (cause) {
      done(new AppError('invalid_json', { detail: 'The body is not UTF-8, which JSON has to be.', cause }));
      return;
    }
    parse(request, text, (error, value) => {
      if (error) return done(notJson(text, error));
      const wrong = ESCAPED_SURROGATE.test(text) ? illFormed(value) : null;
      if (wrong === null) return done(null, value);
      const detail = 'holds half of a surrogate pair, which is no text';
      done(invalidFields('The request', [{ pointer: jsonPointer(wrong), detail, code: 'ill_formed' }]));
    });
  };
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, read);
  app.addContentTypeParser('application/merge-patch+json', { parseAs: 'buffer' }, read);
}
