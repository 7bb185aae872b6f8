import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepLeases } from '../../../src/services/followed/leases.ts';

interface Lease {
  turnNumber: number;
  seconds: number;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const lease = (turnNumber: number): Lease => ({ turnNumber, seconds: 60 });
const unexpected = (): void => expect.unreachable();
const succeeded = (): void => undefined;

/** Prolongs all but those that are lost by these numbers. */
const prolonging = (...lost: number[]) =>
  vi.fn(async (leases: readonly Lease[], _share: number) =>
    leases.filter(({ turnNumber }) => lost.includes(turnNumber)),
  );

const numbersOf = (prolong: ReturnType<typeof prolonging>, call: number): number[] | undefined =>
  prolong.mock.calls[call]?.[0].map(({ turnNumber }) => turnNumber);

it('asks about all turns at once, and tells those that are lost, once', async () => {
  const prolong = prolonging(8);
  const leases = keepLeases({ prolong, everyMs: 500, outage: { failed: unexpected, succeeded } });
  const lost = vi.fn();
  leases.hold(lease(7), unexpected);
  leases.hold(lease(8), lost);
  await vi.advanceTimersByTimeAsync(500);
  expect(prolong).toHaveBeenCalledTimes(1);
  expect(numbersOf(prolong, 0)).toEqual([7, 8]);
  expect(lost).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(500);
  expect(numbersOf(prolong, 1)).toEqual([7]);
});

it('asks nothing while no turn runs, and begins again with the next one', async () => {
  const prolong = prolonging();
  const leases = keepLeases({ prolong, everyMs: 500, outage: { failed: unexpected, succeeded } });
  await vi.advanceTimersByTimeAsync(5_000);
  const release = leases.hold(lease(1), unexpected);
  release();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(prolong).not.toHaveBeenCalled();
  leases.hold(lease(2), unexpected);
  await vi.advanceTimersByTimeAsync(500);
  expect(prolong).toHaveBeenCalledTimes(1);
});

it('goes on after a failure, and says so', async () => {
  const prolong = prolonging();
  prolong.mockRejectedValueOnce(new Error('connection reset'));
  const outage = { failed: vi.fn(), succeeded: vi.fn() };
  keepLeases({ prolong, everyMs: 500, outage }).hold(lease(1), unexpected);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(outage.failed).toHaveBeenCalledTimes(1);
  expect(outage.succeeded).toHaveBeenCalledTimes(1);
  expect(prolong).toHaveBeenCalledTimes(2);
});

it.each([
  ['fails', () => Promise.reject(new Error('connection reset'))],
  ['does not answer', () => new Promise<never>(() => undefined)],
])('takes a lease for lost when it has run out because the database %s', async (_, away) => {
  const prolong = prolonging();
  const leases = keepLeases({ prolong, everyMs: 500, outage: { failed: succeeded, succeeded } });
  const lost = vi.fn();
  leases.hold(lease(1), lost);
  await vi.advanceTimersByTimeAsync(30_000);
  prolong.mockImplementation(away);
  // two thirds of it were left when it was last prolonged, at least
  await vi.advanceTimersByTimeAsync(39_000);
  expect(lost).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(lost).toHaveBeenCalledTimes(1);
});

it('asks one thing at a time', async () => {
  const prolong = prolonging();
  prolong.mockImplementation(() => new Promise<never>(() => undefined));
  keepLeases({ prolong, everyMs: 500, outage: { failed: unexpected, succeeded } }).hold(lease(1), unexpected);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(prolong).toHaveBeenCalledTimes(1);
});
