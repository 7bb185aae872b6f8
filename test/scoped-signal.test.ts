import { getEventListeners } from 'node:events';
import { expect, it, vi } from 'vitest';
import { scopedSignal } from '../src/scoped-signal.ts';

it('aborts with the first of what it follows, with its reason', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const { signal } = scopedSignal([undefined, first.signal, second.signal], { timeoutMs: 1_000 });
  expect(signal.aborted).toBe(false);
  second.abort('gone');
  first.abort('later');
  expect(signal.reason).toBe('gone');
});

it('is aborted from the start when what it follows is', () => {
  const scoped = scopedSignal([AbortSignal.abort('before')], { timeoutMs: 0 });
  expect(scoped.signal.reason).toBe('before');
});

it('aborts after its time, and says that it was the time', () => {
  vi.useFakeTimers();
  const scoped = scopedSignal([new AbortController().signal], { timeoutMs: 1_500 });
  vi.advanceTimersByTime(1_499);
  expect(scoped.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(scoped.timedOut).toBe(true);
  expect(scoped.signal.reason).toMatchObject({ name: 'TimeoutError' });
  vi.useRealTimers();
});

it('leaves neither a timer nor a listener behind once it is closed', () => {
  vi.useFakeTimers();
  const followed = new AbortController();
  const scoped = scopedSignal([followed.signal], { timeoutMs: 120_000 });
  scoped.close();
  expect(vi.getTimerCount()).toBe(0);
  expect(getEventListeners(followed.signal, 'abort')).toHaveLength(0);
  followed.abort();
  expect(scoped.signal.aborted).toBe(false);
  vi.useRealTimers();
});
