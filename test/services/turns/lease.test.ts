import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { keepLease } from '../../../src/services/turns/lease.ts';

const SCOPE = { workspaceId: 'default', projectId: 'p' };
const LEASE = { turnNumber: 1, attempt: 1, holder: 'me', seconds: 30 };

function fakeDatabase(answer: () => number) {
  const query = vi.fn(async () => ({ rows: [], rowCount: answer() }));
  return { query, db: { query } as unknown as Database };
}

const unexpected = (): void => expect.unreachable();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('keepLease', () => {
  it('prolongs the lease every third of it until it is stopped', async () => {
    const { query, db } = fakeDatabase(() => 1);
    const lease = keepLease(db, SCOPE, LEASE, unexpected, unexpected);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(query).toHaveBeenCalledTimes(3);
    lease.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(query).toHaveBeenCalledTimes(3);
  });

  it('says once that the lease is lost, and stops', async () => {
    const { query, db } = fakeDatabase(() => 0);
    const onLost = vi.fn();
    keepLease(db, SCOPE, LEASE, onLost, unexpected);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(onLost).toHaveBeenCalledTimes(1);
    expect(query).toHaveBeenCalledTimes(1);
  });

  it('goes on after a beat that failed', async () => {
    let beats = 0;
    const { db } = fakeDatabase(() => {
      if (++beats === 1) throw new Error('connection reset');
      return 1;
    });
    const onError = vi.fn();
    const lease = keepLease(db, SCOPE, LEASE, unexpected, onError);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(onError).toHaveBeenCalledTimes(1);
    expect(beats).toBe(2);
    lease.stop();
  });
});
