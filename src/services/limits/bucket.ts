import type { Database } from '../../db/database.ts';
import { type BucketRequest, takeTokens } from '../../db/rate-limits.ts';

/** Whose bucket, and how much it holds. */
export type BucketKey = Pick<BucketRequest, 'workspaceId' | 'keyId' | 'class' | 'perMinute'>;

/** Tokens that a process has taken ahead are good for so long: a key that sends much costs a statement a second. */
const AHEAD_SECONDS = 1;

interface Waiting {
  resolve: (isAllowed: boolean) => void;
  reject: (error: unknown) => void;
}

/**
 * A bucket of the database as this process knows it. Those who come at once share a statement, and what is refused is
 * refused without asking again until there can be a token.
 *
 * @param now milliseconds of a clock that never goes back
 */
export function createBucket(db: Database, key: BucketKey, now: () => number) {
  const { perMinute } = key;
  const ahead = Math.floor((perMinute * AHEAD_SECONDS) / 60);
  let held = 0;
  let heldUntil = 0;
  /** What the database had at `toldAt`: since then others may have taken some, and nobody has put any back. */
  let told = perMinute;
  let toldAt = now();
  const waiting: Waiting[] = [];
  let isAsking = false;

  const heldNow = (): number => (now() < heldUntil ? held : 0);
  /** There are no more in the database. */
  const left = (): number => Math.min(perMinute, told + ((now() - toldAt) / 60_000) * perMinute);

  async function ask(group: Waiting[]): Promise<void> {
    const askedAt = now();
    const wanted = { needed: group.length, ahead, aheadSeconds: AHEAD_SECONDS };
    const grant = await takeTokens(db, { ...key, ...wanted });
    held = Math.max(0, grant.granted - group.length);
    heldUntil = askedAt + AHEAD_SECONDS * 1000;
    told = grant.left;
    toldAt = askedAt;
    for (const [place, { resolve }] of group.entries()) resolve(place < grant.granted);
  }

  /** Serves those who wait by one statement, and those who have come meanwhile by the next. */
  async function askForAll(): Promise<void> {
    isAsking = true;
    while (waiting.length > 0) {
      const served = waiting.splice(0, heldNow());
      held -= served.length;
      for (const { resolve } of served) resolve(true);
      const group = waiting.splice(0);
      if (group.length === 0) break;
      await ask(group).catch((error: unknown) => {
        for (const { reject } of group) reject(error);
      });
    }
    isAsking = false;
  }

  return {
    /** Takes a token; false: there is none. */
    async take(): Promise<boolean> {
      if (heldNow() > 0) {
        held -= 1;
        return true;
      }
      if (left() < 1) return false;
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        if (!isAsking) void askForAll();
      });
    },
    /** Tokens that could be taken now, as far as this process knows. */
    remaining: (): number => Math.floor(left()) + heldNow(),
    /** Seconds until there are so many. */
    secondsUntil: (tokens: number): number => (Math.max(0, tokens - left()) / perMinute) * 60,
  };
}

export type Bucket = ReturnType<typeof createBucket>;
