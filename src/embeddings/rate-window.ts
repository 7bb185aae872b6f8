/** What was used, by when that began, in milliseconds. */
export type RateParts = [begin: number, amount: number][];

/** How much was used in the last so many milliseconds, against a limit. */
export interface RateWindow {
  /** Milliseconds until so much more fits; what is more than the limit by itself fits when nothing else is there. */
  waitMs(amount: number, now: number): number;
  use(amount: number, now: number): void;
  /** What still counted when it was looked at last. */
  parts(): RateParts;
}

/** What is used within one of so many parts of the span is kept as one sum: a day of requests is a short list. */
const PARTS = 600;

/**
 * @param limit 0: none
 * @param used what was used before
 */
export function createRateWindow(limit: number, spanMs: number, used: RateParts = []): RateWindow {
  const partMs = spanMs / PARTS;
  let parts = used.map(([begin, amount]) => ({ begin, amount }));
  /** A part counts until all that is in it is older than the span. */
  const endOf = ({ begin }: { begin: number }): number => begin + partMs + spanMs;

  return {
    waitMs(amount, now) {
      // those of others, who have a limit, are kept here, too
      parts = parts.filter((part) => endOf(part) > now);
      if (limit === 0) return 0;
      let tooMuch = parts.reduce((sum, part) => sum + part.amount, Math.min(amount, limit)) - limit;
      let until = now;
      for (const part of parts) {
        if (tooMuch <= 0) break;
        tooMuch -= part.amount;
        until = endOf(part);
      }
      return until - now;
    },
    use(amount, now) {
      if (limit === 0) return;
      const last = parts.at(-1);
      if (last && now < last.begin + partMs) last.amount += amount;
      else parts.push({ begin: now, amount });
    },
    parts: () => parts.map(({ begin, amount }) => [begin, amount]),
  };
}
