import { expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import type { Replica } from '../../src/db/pg-replica.ts';
import { createReplicaReads } from '../../src/db/search-database.ts';
import { DatabaseError } from '../../src/errors.ts';

const trouble = (message: string, code: string) =>
  new DatabaseError('unavailable', Object.assign(new Error(message), { code }), true);

/** A server and a standby of it, which answer with where they were asked; `state` is what the standby is like. */
function pair() {
  const state = { hasReplayed: true, system: '7' as string | null, trouble: null as Error | null };
  const told: string[] = [];
  const asked: string[] = [];
  let ms = 0;
  const answer = (from: string) => ({
    rows: [{ from, position: '0/16', system: '7' }] as never[],
    rowCount: 1,
  });
  const failing = () => {
    if (state.trouble) throw state.trouble;
  };
  const replica: Replica = {
    replicates: async () => {
      failing();
      return state.system;
    },
    reach: async () => {
      failing();
      return state.hasReplayed;
    },
    query: async (_sql, _params, position) => {
      asked.push(position);
      failing();
      return state.hasReplayed ? { result: answer('replica'), position: '0/17' } : null;
    },
    connections: () => ({ used: 0, idle: 0, most: 1, waiting: 0 }),
    close: async () => undefined,
  };
  const db = { query: async () => answer('server') } as unknown as Database;
  const searchDb = createReplicaReads(db, replica, {
    onOutcome: (outcome) => told.push(outcome),
    outages: { failed: (error) => told.push(String(error)), succeeded: () => undefined },
    now: () => ms,
  });
  const whence = async (begun = searchDb.current()) =>
    (await (await begun).query<{ from: string }>('select 1')).rows[0]?.from;
  const later = (by: number): void => {
    ms += by;
  };
  return { state, told, asked, searchDb, whence, later };
}

it('reads from a standby that has replayed what was written', async () => {
  const { whence, told } = pair();
  expect(await whence()).toBe('replica');
  expect(told).toEqual(['served']);
});

it('reads from the server while the standby is behind', async () => {
  const { whence, told, state } = pair();
  state.hasReplayed = false;
  expect(await whence()).toBe('server');
  expect(told).toEqual(['behind']);
  state.hasReplayed = true;
  expect(await whence()).toBe('replica');
});

it('asks the server what another standby behind the same address is behind for', async () => {
  const { whence, searchDb, state } = pair();
  const begun = searchDb.current();
  await begun;
  state.hasReplayed = false;
  expect(await whence(begun)).toBe('server');
});

it('asks the server what the standby fails, and leaves it alone for a while', async () => {
  const { whence, told, searchDb, state, later } = pair();
  const begun = searchDb.current();
  await begun;
  state.trouble = trouble('gone', 'ECONNRESET');
  expect(await whence(begun)).toBe('server');
  state.trouble = null;
  expect(await whence()).toBe('server');
  later(5_000);
  expect(await whence()).toBe('replica');
  expect(told).toEqual(['served', 'DatabaseError: gone', 'failed', 'failed', 'served']);
});

it.each([
  ['a server that is no standby', null, 'DATABASE_READ_URL names a server that is no standby'],
  ['a standby of another server', '8', 'DATABASE_READ_URL names a standby of another server'],
])('does not read from %s', async (_, system, message) => {
  const { whence, told, state } = pair();
  state.system = system;
  expect(await whence()).toBe('server');
  expect(told).toEqual([`Error: ${message}`, 'failed']);
});

it('asks the server what is the fault of the statement alone, and the standby for the next search', async () => {
  const { whence, told, searchDb, state } = pair();
  const begun = searchDb.current();
  await begun;
  state.trouble = trouble('in the way of changes', '40001');
  expect(await whence(begun)).toBe('server');
  state.trouble = null;
  expect(await whence()).toBe('replica');
  expect(told).toEqual(['served', 'served']);
});

it('lets no statement of a search see less than those before it', async () => {
  const { whence, searchDb, asked, state } = pair();
  const begun = searchDb.current();
  expect([await whence(begun), await whence(begun)]).toEqual(['replica', 'replica']);
  expect(asked).toEqual(['0/16', '0/17']);
  state.hasReplayed = false;
  expect(await whence(begun)).toBe('server');
  state.hasReplayed = true;
  expect(await whence(begun)).toBe('server');
});
