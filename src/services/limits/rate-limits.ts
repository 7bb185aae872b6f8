import type { Database } from '../../db/database.ts';
import type { Principal } from '../../scope.ts';
import { type Bucket, type BucketKey, createBucket } from './bucket.ts';

/** What requests are counted as; what is expensive counts as both. */
export const REQUEST_CLASSES = ['requests', 'expensive'] as const;
export type RequestClass = (typeof REQUEST_CLASSES)[number];

/** How many a minute, by class; 0: as many as come. */
export type PerMinute = Record<RequestClass, number>;

/** Buckets that are remembered, at most. */
const MOST_REMEMBERED = 10_000;

/** How a request stands to one of the limits of its key. */
export interface Standing {
  class: RequestClass;
  perMinute: number;
  isAllowed: boolean;
  /** Requests that would be let through now. */
  remaining: number;
  /** Seconds until as many as there may be would be let through again. */
  fullInSeconds: number;
  /** Seconds until one is let through. */
  waitSeconds: number;
}

export interface RateLimitDeps {
  db: Database;
  /** The limits of keys that have none of their own. */
  perMinute: PerMinute;
  now?: () => number;
}

/**
 * Counts the requests of keys, in the database, so that all instances together let no more through than a key may send: so
 * many at once, and then as they come back, within a minute.
 */
export function createRateLimits({ db, perMinute, now = () => performance.now() }: RateLimitDeps) {
  const buckets = new Map<string, Bucket>();

  function bucketOf(key: BucketKey): Bucket {
    const id = JSON.stringify(key);
    const known = buckets.get(id);
    if (known) return known;
    if (buckets.size >= MOST_REMEMBERED) buckets.clear();
    const bucket = createBucket(db, key, now);
    buckets.set(id, bucket);
    return bucket;
  }

  return {
    /**
     * Counts a request of a caller, and says how it stands to each of its limits. One that is refused by its first limit
     * is not counted by the next. Whoever needs no key has no limits.
     */
    async count(
      { workspaceId, limitedAs, rateLimits }: Principal,
      isExpensive: boolean,
    ): Promise<Standing[]> {
      const standings: Standing[] = [];
      if (limitedAs === null) return standings;
      for (const requestClass of REQUEST_CLASSES) {
        const limit = rateLimits?.[requestClass] ?? perMinute[requestClass];
        if (limit === 0 || (requestClass === 'expensive' && !isExpensive)) continue;
        const bucket = bucketOf({ workspaceId, keyId: limitedAs, class: requestClass, perMinute: limit });
        const isAllowed = await bucket.take();
        standings.push({
          class: requestClass,
          perMinute: limit,
          isAllowed,
          remaining: isAllowed ? bucket.remaining() : 0,
          fullInSeconds: bucket.secondsUntil(limit),
          waitSeconds: bucket.secondsUntil(1),
        });
        if (!isAllowed) break;
      }
      return standings;
    },
  };
}

export type RateLimitService = ReturnType<typeof createRateLimits>;
