import pRetry from 'p-retry';

/** How often and how patiently to try a provider again. */
export interface RetryPolicy {
  /** Tries in all, the first one included. */
  attempts: number;
  /** Pause after the first failure; it doubles with each further one. */
  minDelayMs: number;
  /** No pause is longer, whatever the provider asks for. */
  maxDelayMs: number;
}

/** What to do about a failure: give up, or try again, not before the provider's own `Retry-After`. */
export interface RetryVerdict {
  retry: boolean;
  afterSeconds?: number | undefined;
}

export interface RetryOptions {
  policy: RetryPolicy;
  /** Looks at a failure and the number of the try that failed (from 1). */
  judge: (error: Error, attempt: number) => RetryVerdict;
  /** Told of each pause as it begins. */
  onPause?: ((error: Error, delayMs: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Milliseconds to wait after try number `attempt` (from 1): exponential, with up to a quarter on top so that clients
 * that failed together do not return together, never below what the provider asked for, never above the maximum.
 */
export function retryDelayMs(
  attempt: number,
  policy: RetryPolicy,
  afterSeconds = 0,
  random: () => number = Math.random,
): number {
  const exponential = policy.minDelayMs * 2 ** (attempt - 1);
  const wanted = Math.max(exponential, afterSeconds * 1_000);
  return Math.min(policy.maxDelayMs, Math.round(wanted * (1 + random() / 4)));
}

/**
 * The one retry layer around a provider's SDK (whose own retries are off). Rejects with the last failure, or with the
 * signal's reason as soon as it aborts, also in the middle of a pause.
 */
export function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { policy, judge, onPause, signal } = options;
  return pRetry(attempt, {
    retries: policy.attempts - 1,
    // p-retry knows only exponential pauses, so the pause is taken here, where Retry-After is known
    minTimeout: 0,
    signal,
    shouldRetry: async ({ error, attemptNumber }) => {
      const verdict = judge(error, attemptNumber);
      if (verdict.retry) {
        const delayMs = retryDelayMs(attemptNumber, policy, verdict.afterSeconds);
        onPause?.(error, delayMs);
        await pause(delayMs, signal);
      }
      return verdict.retry;
    },
  });
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/**
 * Seconds that a `Retry-After` header asks for, given as a number or as an HTTP date (RFC 9110, 10.2.3); undefined when
 * there is none or it says nothing sensible.
 */
export function parseRetryAfter(
  value: string | null | undefined,
  now: number = Date.now(),
): number | undefined {
  const text = value?.trim();
  if (!text) return undefined;
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return Number(text);
  // an HTTP date begins with a day's name; Date.parse alone would read "-5" as a date too
  const date = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1_000));
}
