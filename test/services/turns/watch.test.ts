import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { watchTurns } from '../../../src/services/turns/watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const scope = { workspaceId: 'default', projectId: 'p' };
const turn = (turnNumber: number, onLost: () => void) => ({
  ...{ scope, turnNumber, attempt: 1, holder: 'me', seconds: 60 },
  onLost,
});
const unexpected = (): void => expect.unreachable();

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
  const watch = watchTurns(db, 500, unexpected);
  const lost = vi.fn();
  watch.add(turn(7, unexpected));
  watch.add(turn(8, lost));
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
  const watch = watchTurns(db, 500, unexpected);
  await vi.advanceTimersByTimeAsync(5_000);
  const remove = watch.add(turn(1, unexpected));
  remove();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(query).not.toHaveBeenCalled();
  watch.add(turn(2, unexpected));
  await vi.advanceTimersByTimeAsync(500);
  expect(query).toHaveBeenCalledTimes(1);
});

it('goes on after a failure, and says so', async () => {
  const { db, query } = database(() => []);
  query.mockRejectedValueOnce(new Error('connection reset'));
  const onError = vi.fn();
  watchTurns(db, 500, onError).add(turn(1, unexpected));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(onError).toHaveBeenCalledTimes(1);
  expect(query).toHaveBeenCalledTimes(2);
});
