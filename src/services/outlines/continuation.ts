import { hash } from 'node:crypto';
import { AppError } from '../../errors.ts';

const textTag = (text: string): string => hash('sha256', text).slice(0, 12);

/** What is to be sent to read on at an offset into a text; null at its end. */
export const continuationAt = (text: string, offset: number): string | null =>
  offset < text.length ? `${offset}.${textTag(text)}` : null;

/**
 * Where a continuation goes on in a text, which must still be the same; null: at its start.
 *
 * @throws AppError `invalid_cursor`
 */
export function offsetOf(continuation: string | null, text: string): number {
  if (continuation === null) return 0;
  const [offset, tag] = continuation.split('.');
  const at = Number(offset);
  if (tag === textTag(text) && Number.isInteger(at) && at >= 0 && at < text.length) return at;
  throw new AppError('invalid_cursor', {
    detail:
      'The text has changed since it was begun to be read, or this is no continuation. Read it from the start.',
  });
}
