import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { prolongLeases } from '../../../src/db/turns.ts';
import { keepLeases } from '../../../src/services/followed/leases.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const scope = { workspaceId: 'default', projectId: 'p' };
const lease = (turnNumber: number) => ({ scope, turnNumber, attempt: 1, holder: 'me', seconds: 60 });
const prolongIn =
  (db: Database) =>
  (leases: readonly ReturnType<typeof lease>[], share: number): Promise<ReturnType<typeof lease>[]> =>
    prolongLeases(db, leases, share);
const unexpected = (): void => expect.unreachable();
const succeeded = (): void => undefined;

/** A database that answers with the positions, counted from 1, of leases that are lost. */
function database(answer: (numbers: unknown) => number[]) {
  const query = vi.fn(async (_: string, params: unknown[]) => {
    const rows = answer(params[2]).map((position) => ({ position }));
    return { rows, rowCount: rows.length };
  });
  return { query, db: { query } as unknown as Database };
}

it('asks about all turns at once, and tells those that are lost, once', async () => {
  const { db, query } = database(() => [2]);
  const leases = keepLeases({
    prolong: prolongIn(db),
    everyMs: 500,
    outage: { failed: unexpected, succeeded },
  });
  const lost = vi.fn();
  leases.hold(lease(7), unexpected);
  leases.hold(lease(8), lost);
  await vi.advanceTimersByTimeAsync(500);
  expect(query).toHaveBeenCalledTimes(1);
  expect(query.mock.calls[0]?.[1][2]).toEqual([7, 8]);
  expect(lost).toHaveBeenCalledTimes(1);
  query.mockResolvedValue({ rows: [], rowCount: 0 });
  await vi.advanceTimersByTimeAsync(500);
  expect(query.mock.calls[1]?.[1][2]).toEqual([7]);
});

it('asks nothing while no turn runs, and begins again with the next one', async () => {
  const { db, query } = database(() => []);
  const leases = keepLeases({
    prolong: prolongIn(db),
    everyMs: 500,
    outage: { failed: unexpected, succeeded },
  });
  await vi.advanceTimersByTimeAsync(5_000);
  const release = leases.hold(lease(1), unexpected);
  release();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(query).not.toHaveBeenCalled();
  leases.hold(lease(2), unexpected);
  await vi.advanceTimersByTimeAsync(500);
  expect(query).toHaveBeenCalledTimes(1);
});

it('goes on after a failure, and says so', async () => {
  const { db, query } = database(() => []);
  query.mockRejectedValueOnce(new Error('connection reset'));
  const outage = { failed: vi.fn(), succeeded: vi.fn() };
  keepLeases({ prolong: prolongIn(db), everyMs: 500, outage }).hold(lease(1), unexpected);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(outage.failed).toHaveBeenCalledTimes(1);
  expect(outage.succeeded).toHaveBeenCalledTimes(1);
  expect(query).toHaveBeenCalledTimes(2);
});

it.each([
  ['fails', () => Promise.reject(new Error('connection reset'))],
  ['does not answer', () => new Promise<never>(() => undefined)],
])('takes a lease for lost when it has run out because the database %s', async (_, away) => {
  const { db, query } = database(() => []);
  const leases = keepLeases({
    prolong: prolongIn(db),
    everyMs: 500,
    outage: { failed: succeeded, succeeded },
  });
  const lost = vi.fn();
  leases.hold(lease(1), lost);
  await vi.advanceTimersByTimeAsync(30_000);
  query.mockImplementation(away);
  // two thirds of it were left when it was last prolonged, at least
  await vi.advanceTimersByTimeAsync(39_000);
  expect(lost).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(lost).toHaveBeenCalledTimes(1);
});

it('asks one thing at a time', async () => {
  const { db, query } = database(() => []);
  query.mockImplementation(() => new Promise<never>(() => undefined));
  keepLeases({ prolong: prolongIn(db), everyMs: 500, outage: { failed: unexpected, succeeded } }).hold(
    lease(1),
    unexpected,
  );
  await vi.advanceTimersByTimeAsync(5_000);
  expect(query).toHaveBeenCalledTimes(1);
});
