import { createHash } from 'node:crypto';
import type { List } from '../contract/list.ts';
import { AppError } from '../errors.ts';
import type { Scope } from '../scope.ts';

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

/** The list that a cursor belongs to: what is listed, and where. */
export interface ListName {
  of:
    | 'projects'
    | 'files'
    | 'leaves'
    | 'turns'
    | 'research_runs'
    | 'keys'
    | 'workspaces'
    | 'audit_events'
    | 'webhooks'
    | 'webhook_deliveries';
  scope: Pick<Scope, 'workspaceId'> & Partial<Scope>;
  /** What it is listed of besides, such as a file. */
  within?: string;
}

/** Tells lists apart; it keeps nothing secret. */
const MARK_LENGTH = 10;

function markOf({ of, scope, within }: ListName): string {
  const name = JSON.stringify([of, scope.workspaceId, scope.projectId ?? null, within ?? null]);
  return createHash('sha256').update(name).digest('hex').slice(0, MARK_LENGTH);
}

const encodeCursor = (seq: string, mark: string): string =>
  Buffer.from(`${mark}s${seq}`).toString('base64url');

/** @throws AppError `invalid_cursor` */
function decodeCursor(cursor: string, name: 'after' | 'before', mark: string): string {
  const match = /^([\da-f]+)s(\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (match?.[1] === mark && match[2] !== undefined) return match[2];
  throw new AppError('invalid_cursor', {
    detail: `"${name}" must be a first_id or last_id from this very list.`,
    errors: [{ pointer: name, detail: 'is no cursor of this list', code: 'invalid_format' }],
  });
}

function assertOneEnd({ after, before }: PageRequest): void {
  if (after === undefined || before === undefined) return;
  const detail = 'A page goes on after an entry or ends before one: send "after" or "before", not both.';
  throw new AppError('invalid_request', {
    detail,
    errors: [{ pointer: 'before', detail, code: 'conflict' }],
  });
}

/**
 * One page of a list that is ordered by an ascending number. `after` and `before` are positions in the order asked
 * for; with `before` the page is the one that ends there.
 *
 * @param list its cursors are those of no other
 * @param select gives up to `limit` items within bounds, in the order said there
 * @param seqOf the number that an item is ordered by
 * @throws AppError `invalid_cursor`; `invalid_request` for both `after` and `before`
 */
export async function readPage<T>(
  list: ListName,
  request: PageRequest,
  select: (bounds: PageBounds) => Promise<T[]>,
  seqOf: (item: T) => string,
): Promise<List<T>> {
  assertOneEnd(request);
  const mark = markOf(list);
  const descending = request.order === 'desc';
  const after = request.after === undefined ? null : decodeCursor(request.after, 'after', mark);
  const before = request.before === undefined ? null : decodeCursor(request.before, 'before', mark);
  const backwards = before !== null;
  const found = await select({
    after: descending ? before : after,
    before: descending ? after : before,
    limit: request.limit + 1, // one more tells whether there is more
    descending: descending !== backwards,
  });
  const data = found.slice(0, request.limit);
  if (backwards) data.reverse();
  const cursorOf = (item: T | undefined) => (item === undefined ? null : encodeCursor(seqOf(item), mark));
  return {
    object: 'list',
    data,
    has_more: found.length > request.limit,
    first_id: cursorOf(data[0]),
    last_id: cursorOf(data.at(-1)),
  };
}
