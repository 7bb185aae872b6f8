import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startHeartbeat } from '../src/heartbeat.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LEASE_MS = 30_000;

function start(extend: () => Promise<boolean>) {
  const lost = vi.fn();
  const onError = vi.fn();
  const heartbeat = startHeartbeat({ leaseSeconds: LEASE_MS / 1_000, extend, onError });
  heartbeat.signal.addEventListener('abort', lost);
  return { heartbeat, lost, onError };
}

/** A database whose answers are given one by one. */
function slowly() {
  const answers: ((isOurs: boolean) => void)[] = [];
  const extend = vi.fn(() => new Promise<boolean>((resolve) => answers.push(resolve)));
  return { extend, answer: (isOurs: boolean) => answers.shift()?.(isOurs) };
}

describe('startHeartbeat', () => {
  it('prolongs the lease every third of it until it is stopped', async () => {
    const extend = vi.fn(async () => true);
    const { heartbeat, lost } = start(extend);
    await vi.advanceTimersByTimeAsync(10 * LEASE_MS);
    expect(extend).toHaveBeenCalledTimes(30);
    heartbeat.stop();
    await vi.advanceTimersByTimeAsync(10 * LEASE_MS);
    expect(extend).toHaveBeenCalledTimes(30);
    expect(lost).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('says once that another has the lease, and stops', async () => {
    const extend = vi.fn(async () => false);
    const { heartbeat, lost, onError } = start(extend);
    await vi.advanceTimersByTimeAsync(2 * LEASE_MS);
    heartbeat.beat();
    expect(lost).toHaveBeenCalledTimes(1);
    expect(heartbeat.signal.reason).toMatchObject({ message: 'the lease was lost' });
    expect(extend).toHaveBeenCalledTimes(1);
    expect(onError).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('goes on after a beat that failed, and tells of it', async () => {
    const extend = vi.fn(async () => true);
    extend.mockRejectedValueOnce(new Error('connection reset'));
    extend.mockResolvedValueOnce(true);
    extend.mockImplementationOnce(() => {
      throw new Error('no connection');
    });
    const { heartbeat, lost, onError } = start(extend);
    await vi.advanceTimersByTimeAsync(2 * LEASE_MS);
    expect(onError.mock.calls).toMatchObject([
      [{ message: 'connection reset' }],
      [{ message: 'no connection' }],
    ]);
    expect(extend).toHaveBeenCalledTimes(6);
    expect(lost).not.toHaveBeenCalled();
    heartbeat.stop();
  });

  it.each([
    ['fails', () => Promise.reject(new Error('connection refused'))],
    ['is silent', () => new Promise<boolean>(() => undefined)],
  ])('says that the lease has run out when the database %s for its whole length', async (_, extend) => {
    const { heartbeat, lost } = start(extend);
    await vi.advanceTimersByTimeAsync(LEASE_MS - 1);
    expect(lost).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(lost).toHaveBeenCalledTimes(1);
    expect(heartbeat.signal.reason).toMatchObject({ message: expect.stringContaining('has run out') });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('counts the lease from when a beat began, not from its answer', async () => {
    const { extend, answer } = slowly();
    const { heartbeat, lost } = start(extend);
    await vi.advanceTimersByTimeAsync(LEASE_MS - 1);
    answer(true);
    await vi.advanceTimersByTimeAsync(LEASE_MS / 3);
    expect(lost).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(heartbeat.signal.aborted).toBe(true);
  });

  it('beats once at a time, and once more when it is asked while a beat is on its way', async () => {
    const { extend, answer } = slowly();
    const { heartbeat, lost } = start(extend);
    await vi.advanceTimersByTimeAsync(LEASE_MS - 1);
    expect(extend).toHaveBeenCalledTimes(1);
    heartbeat.beat();
    heartbeat.beat();
    expect(extend).toHaveBeenCalledTimes(1);
    answer(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(extend).toHaveBeenCalledTimes(2);
    answer(false);
    await vi.advanceTimersByTimeAsync(0);
    expect(lost).toHaveBeenCalledTimes(1);
  });

  it('hears nothing of a beat that is answered after it was stopped', async () => {
    const { extend, answer } = slowly();
    const { heartbeat, lost, onError } = start(extend);
    heartbeat.beat();
    heartbeat.stop();
    answer(false);
    await vi.advanceTimersByTimeAsync(2 * LEASE_MS);
    expect(extend).toHaveBeenCalledTimes(1);
    expect([lost, onError].flatMap(({ mock }) => mock.calls)).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
