/** Keys that were not valid, from one address, in a row. */
const MOST = 20;
/** One of them is forgiven in so long. */
const FORGIVEN_MS = 3_000;
/** Addresses that are counted, at most. */
const MOST_ADDRESSES = 10_000;

/** Counts keys that were not valid by address, so that guessing is slow and costs the database nothing. */
export function createFailedKeys(now: () => number = () => performance.now()) {
  const spent = new Map<string, { count: number; at: number }>();

  function countOf(address: string): number {
    const last = spent.get(address);
    return last ? Math.max(0, last.count - (now() - last.at) / FORGIVEN_MS) : 0;
  }

  return {
    /** Seconds until another key may be tried; 0: now. */
    waitSeconds(address: string): number {
      const over = countOf(address) + 1 - MOST;
      return over > 0 ? (over * FORGIVEN_MS) / 1000 : 0;
    },
    count(address: string): void {
      const count = countOf(address) + 1;
      if (spent.size >= MOST_ADDRESSES) spent.clear();
      spent.set(address, { count, at: now() });
    },
  };
}
