import type { Queryable } from './database.ts';

/** A bucket of tokens: of a key, for one class of requests. It holds a minute's worth, and fills up within a minute. */
export interface BucketRequest {
  workspaceId: string;
  /** The key, or `jwt:` and whose token it is. */
  keyId: string;
  /** `requests`, `expensive` */
  class: string;
  perMinute: number;
  /** Tokens that are needed now. */
  needed: number;
  /** Tokens to take besides, if there are, which are used within `aheadSeconds` or never. */
  ahead: number;
  aheadSeconds: number;
}

/** What a bucket gave: `granted` tokens, those that were needed first, and `left`, with a fraction. */
export interface BucketGrant {
  granted: number;
  left: number;
}

// $4 a minute's worth, $5 needed, $6 ahead, $7 what fills up while those are kept
const FILLED = `least($4::float8, r.tokens + extract(epoch from greatest(now() - r.at, interval '0')) * $4::float8 / 60)`;
const NEEDED = (tokens: string) => `least($5::int, floor(${tokens})::int)`;
/** What is kept ahead could be used when as much has filled up again: the bucket counts as that much less full. */
const CAPPED = (tokens: string) => `least(${tokens} - ${NEEDED(tokens)}, $4::float8 - $7::float8)`;
const AHEAD = (tokens: string) => `greatest(0, least($6::int, floor(${CAPPED(tokens)})::int))`;
const LEFT = (tokens: string) =>
  `case when ${AHEAD(tokens)} > 0 then ${CAPPED(tokens)} - ${AHEAD(tokens)} else ${tokens} - ${NEEDED(tokens)} end`;
const GRANTED = (tokens: string) => `${NEEDED(tokens)} + ${AHEAD(tokens)}`;

const TAKE = `insert into rate_limits as r (workspace_id, key_id, class, tokens, at, granted)
  values ($1, $2, $3, ${LEFT('$4::float8')}, now(), ${GRANTED('$4::float8')})
  on conflict (workspace_id, key_id, class) do update set
    tokens = ${LEFT(FILLED)}, granted = ${GRANTED(FILLED)}, at = greatest(r.at, now())
  returning granted, tokens as left`;

/**
 * Takes tokens out of a bucket, in one statement: whoever comes at the same time waits for its row, so that all instances
 * together never take more than it holds. A bucket that is not there is full.
 */
export async function takeTokens(db: Queryable, request: BucketRequest): Promise<BucketGrant> {
  const { perMinute, aheadSeconds, ahead, needed } = request;
  const { rows } = await db.query<BucketGrant>(TAKE, [
    request.workspaceId,
    request.keyId,
    request.class,
    perMinute,
    needed,
    ahead,
    ahead === 0 ? 0 : (perMinute * aheadSeconds) / 60,
  ]);
  if (!rows[0]) throw new Error('a bucket gave no row');
  return rows[0];
}

/** Removes buckets that are full again, which is what one that is not there is. */
export async function sweepBuckets(db: Queryable): Promise<void> {
  await db.query(`delete from rate_limits where at < now() - interval '1 minute'`);
}
