import type { List } from '../contract/list.ts';
import { AppError } from '../errors.ts';

/** Which stretch of a list, and in which order; cursors as the client sent them. */
export interface PageRequest {
  limit: number;
  after?: string | undefined;
  before?: string | undefined;
  order: 'asc' | 'desc';
}

/** The bounds that a query takes: exclusive, on an ascending number that never changes. */
export interface PageBounds {
  after: string | null;
  before: string | null;
  limit: number;
  descending: boolean;
}

const encodeCursor = (seq: string): string => Buffer.from(`s${seq}`).toString('base64url');

function decodeCursor(cursor: string, name: 'after' | 'before'): string {
  const match = /^s(\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (!match?.[1]) {
    throw new AppError('invalid_cursor', {
      detail: `"${name}" must be a first_id or last_id from a list of this kind.`,
    });
  }
  return match[1];
}

/**
 * One page of a list that is ordered by an ascending number. `after` and `before` are positions in the order asked
 * for; with `before` alone, the page is the one that ends there.
 *
 * @param select gives up to `limit` items within bounds, in the order said there
 * @param seqOf the number that an item is ordered by
 * @throws AppError `invalid_cursor`
 */
export async function readPage<T>(
  request: PageRequest,
  select: (bounds: PageBounds) => Promise<T[]>,
  seqOf: (item: T) => string,
): Promise<List<T>> {
  const descending = request.order === 'desc';
  const after = request.after === undefined ? null : decodeCursor(request.after, 'after');
  const before = request.before === undefined ? null : decodeCursor(request.before, 'before');
  const backwards = before !== null && after === null;
  const found = await select({
    after: descending ? before : after,
    before: descending ? after : before,
    limit: request.limit + 1, // one more tells whether there is more
    descending: descending !== backwards,
  });
  const data = found.slice(0, request.limit);
  if (backwards) data.reverse();
  const cursorOf = (item: T | undefined) => (item === undefined ? null : encodeCursor(seqOf(item)));
  return {
    object: 'list',
    data,
    has_more: found.length > request.limit,
    first_id: cursorOf(data[0]),
    last_id: cursorOf(data.at(-1)),
  };
}
