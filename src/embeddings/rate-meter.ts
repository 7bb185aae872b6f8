import { createRateWindow, type RateParts } from './rate-window.ts';

/** What may be asked of a provider; 0: no limit. */
export interface RateLimits {
  requestsPerMinute: number;
  requestsPerDay: number;
  tokensPerMinute: number;
  /** Requests at a time. */
  concurrency: number;
}

/** What was used of the limits of time lately. */
export type RateUse = Partial<Record<'requestsPerMinute' | 'requestsPerDay' | 'tokensPerMinute', RateParts>>;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Whether there is a limit of time. */
export const hasTimeLimits = (limits: RateLimits): boolean =>
  limits.requestsPerMinute > 0 || limits.requestsPerDay > 0 || limits.tokensPerMinute > 0;

/** The limits of time, and what was used of them; `use`: by now, as `used` gave it. */
export function createRateMeter(limits: RateLimits, use: RateUse = {}) {
  const minute = createRateWindow(limits.requestsPerMinute, MINUTE_MS, use.requestsPerMinute);
  const day = createRateWindow(limits.requestsPerDay, DAY_MS, use.requestsPerDay);
  const tokens = createRateWindow(limits.tokensPerMinute, MINUTE_MS, use.tokensPerMinute);
  return {
    /** Milliseconds until a request of so many tokens may be sent. */
    waitMs: (ofTokens: number, now: number): number =>
      Math.max(minute.waitMs(1, now), day.waitMs(1, now), tokens.waitMs(ofTokens, now)),
    use(ofTokens: number, now: number): void {
      minute.use(1, now);
      day.use(1, now);
      tokens.use(ofTokens, now);
    },
    used: (): RateUse => ({
      requestsPerMinute: minute.parts(),
      requestsPerDay: day.parts(),
      tokensPerMinute: tokens.parts(),
    }),
  };
}
