import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseRetryAfter, retryDelayMs, withRetries } from '../src/retry.ts';

const policy = { attempts: 5, minDelayMs: 2_000, maxDelayMs: 60_000 };

describe('retryDelayMs', () => {
  it('doubles from the minimum and stops at the maximum', () => {
    const delays = [1, 2, 3, 4, 8].map((attempt) => retryDelayMs(attempt, policy, 0, () => 0));
    expect(delays).toEqual([2_000, 4_000, 8_000, 16_000, 60_000]);
  });

  it('waits as long as the provider asks, up to the maximum', () => {
    expect(retryDelayMs(1, policy, 30, () => 0)).toBe(30_000);
    expect(retryDelayMs(1, policy, 3_600, () => 0)).toBe(60_000);
  });

  it('spreads clients by at most a quarter, never below what was asked', () => {
    expect(retryDelayMs(1, policy, 30, () => 1)).toBe(37_500);
  });
});

describe('parseRetryAfter', () => {
  it('reads seconds and HTTP dates', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    expect(parseRetryAfter('7', now)).toBe(7);
    expect(parseRetryAfter('Thu, 01 Jan 2026 00:00:42 GMT', now)).toBe(42);
    expect(parseRetryAfter('Thu, 01 Jan 2015 00:00:00 GMT', now)).toBe(0);
  });

  it('ignores what is missing or senseless', () => {
    for (const value of [null, undefined, '', 'soon', '-5', '99999999999999']) {
      expect(parseRetryAfter(value)).toBeUndefined();
    }
  });
});

describe('withRetries', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('does not try again before Retry-After has passed', async () => {
    let tries = 0;
    const result = withRetries(
      async () => {
        tries += 1;
        if (tries === 1) throw new Error('busy');
        return 'done';
      },
      { policy, judge: () => ({ retry: true, afterSeconds: 20 }) },
    );
    await vi.advanceTimersByTimeAsync(19_900);
    expect(tries).toBe(1);
    await vi.advanceTimersByTimeAsync(6_000);
    await expect(result).resolves.toBe('done');
    expect(tries).toBe(2);
  });

  it('gives up after the last attempt with the last failure', async () => {
    let tries = 0;
    const result = withRetries(
      async () => {
        tries += 1;
        throw new Error(`failure ${tries}`);
      },
      { policy: { ...policy, attempts: 3 }, judge: () => ({ retry: true }) },
    );
    const outcome = expect(result).rejects.toThrow('failure 3');
    await vi.runAllTimersAsync();
    await outcome;
    expect(tries).toBe(3);
  });

  it('does not try again what the judge calls final', async () => {
    const attempt = vi.fn(async () => {
      throw new Error('bad request');
    });
    await expect(withRetries(attempt, { policy, judge: () => ({ retry: false }) })).rejects.toThrow(
      'bad request',
    );
    expect(attempt).toHaveBeenCalledTimes(1);
  });

  it('rejects with the reason as soon as it is aborted in a pause', async () => {
    const controller = new AbortController();
    const result = withRetries(async () => Promise.reject(new Error('busy')), {
      policy,
      judge: () => ({ retry: true, afterSeconds: 60 }),
      signal: controller.signal,
    });
    const outcome = expect(result).rejects.toThrow('no longer wanted');
    await vi.advanceTimersByTimeAsync(10);
    controller.abort(new Error('no longer wanted'));
    await outcome;
    expect(vi.getTimerCount()).toBe(0);
  });
});
