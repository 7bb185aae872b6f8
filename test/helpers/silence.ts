import { expect, onTestFinished, vi } from 'vitest';

/** A time limit that no busy machine reaches by itself. */
export const SILENCE_MS = 600_000;

/**
 * Has time limits of a test end when it says so, and not while a busy machine is at something else.
 *
 * @returns lets a silence pass, once something has come so many times
 */
export function silences(): (count: () => number, times: number) => Promise<void> {
  // pauses between tries take their time as ever
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  return async (count, times) => {
    await expect.poll(count).toBe(times);
    vi.advanceTimersByTime(SILENCE_MS);
  };
}
