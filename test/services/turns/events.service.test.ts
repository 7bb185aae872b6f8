import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Turn } from '../../../src/contract/turn.ts';
import type { TurnEvent } from '../../../src/contract/turn-event.ts';
import type { Database } from '../../../src/db/database.ts';
import type { EventPage } from '../../../src/db/followed.ts';
import { insertTurn } from '../../../src/db/turn-begin.ts';
import { selectEvents } from '../../../src/db/turn-events.ts';
import { findTurn } from '../../../src/db/turns.ts';
import type { Sequenced } from '../../../src/services/followed/kind.ts';
import type { LiveEvent } from '../../../src/services/turns/deps.ts';
import { createTurnEventLog, createTurnEventService } from '../../../src/services/turns/events.ts';
import { openTestDatabase } from '../../helpers/database.ts';
import { storeProject } from '../../helpers/rows/project.ts';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const never = new AbortController().signal;

let db: Database;
let scope: { workspaceId: string; projectId: string };
let view: Turn;
let count = 0;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  scope = await storeProject(db, `events-${++count}`);
  const said = { message: 'Hello.', priming: false, options: { retrieval: 'auto' as const } };
  await insertTurn(db, scope, said, { holder: 'test', seconds: 60, mostAtOnce: 0 }, 3);
  view = await turn();
});

async function turn(): Promise<Turn> {
  const stored = await findTurn(db, scope, 1);
  if (!stored) throw new Error('the turn is there');
  return stored.turn;
}

/** One statement that looks for all followers. */
const isLook = (sql: string): boolean => sql.includes('where found.stamp <> w.stamp');

const delta = (text: string): TurnEvent => ({ type: 'answer.delta', data: { text } });
const end = (status: 'completed' | 'cancelled') =>
  db.query(`update turns set status = $2, completed_at = now() where project_id = $1`, [
    scope.projectId,
    status,
  ]);

/** An instance of the service, as far as events go. */
function instance(options: { db?: Database; flushMs?: number } = {}) {
  const events = createTurnEventLog({ db, log, flushMs: 1, ...options });
  const service = createTurnEventService({ db, ...options, events, getTurn: turn, log, retryMs: 5 });
  return {
    ...service,
    flush: events.flush,
    say: (...said: LiveEvent[]) => {
      for (const event of said) events.sink(scope, 1, event);
    },
    async all(after = 0): Promise<Sequenced<TurnEvent>[]> {
      const found: Sequenced<TurnEvent>[] = [];
      for await (const event of service.follow(scope, 1, after, never)) found.push(event);
      return found;
    },
  };
}

const created = (): TurnEvent => ({ type: 'turn.created', data: view });
const completed = (): TurnEvent => ({ type: 'turn.completed', data: view });

describe('the events of a turn', () => {
  it('are followed from another instance while they come, with the same numbers', async () => {
    const here = instance();
    const there = instance();
    here.say(created());
    const followed = [here.all(), there.all(), there.all(3)];
    for (const text of ['So ', 'it ', 'goes. ', 'On ', 'and on.']) {
      here.say(delta(text));
      await here.flush();
    }
    await end('completed');
    here.say(completed());
    const [own, other, late] = await Promise.all(followed);
    expect(own?.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(other).toEqual(own);
    expect(late).toEqual(own?.slice(3));
    expect(await there.isOver(scope, 1, 6)).toBe(false);
    expect(await there.isOver(scope, 1, 7)).toBe(true);
  });

  it('share a row where they are pieces of text, and none is lost', async () => {
    const here = instance({ flushMs: 60_000 });
    here.say(created(), ...Array.from({ length: 1_200 }, (_, n) => delta(`${n} `)), completed());
    await here.flush();
    const page = (await selectEvents(db, scope, 1, { after: 0, limit: 100 })) as EventPage;
    expect(page.rows.map(({ seq }) => seq)).toEqual([1, 501, 1_001, 1_201, 1_202]);
    await end('completed');
    const replay = await instance().all(1_150);
    expect(replay.map(({ seq }) => seq)).toEqual(Array.from({ length: 52 }, (_, n) => 1_151 + n));
    expect(replay[0]?.data).toEqual({ text: '1149 ' });
  });

  it('reach followers here while the database is away, and storage in order when it is back', async () => {
    let away = 2;
    const shaky: Database = {
      ...db,
      query: (sql, params) =>
        sql.includes('into turn_events') && away-- > 0
          ? Promise.reject(new Error('gone for a moment'))
          : db.query(sql, params),
    };
    const here = instance({ db: shaky });
    here.say(created(), delta('So '), delta('far.'), completed());
    const live = await here.all();
    expect(live).toHaveLength(4);
    await here.flush();
    await end('completed');
    expect(await instance().all()).toEqual(live);
  });

  it('end with a number of their own when another has ended the turn', async () => {
    const here = instance();
    here.say(created());
    await here.flush();
    await end('cancelled');
    here.say(delta('More.'));
    await here.flush();
    here.say({ type: 'turn.cancelled', data: await turn(), endedElsewhere: true });
    const own = await here.all();
    expect(own.at(-1)).toMatchObject({ seq: 1_000_000, type: 'turn.cancelled' });
    await here.flush();
    expect(await instance().all()).toEqual(own);
  });

  it('end with the turn as its row has it when the last one was never stored', async () => {
    const here = instance();
    here.say(created(), delta('So far.'));
    await here.flush();
    await end('completed');
    await db.query(`update turns set completed_at = now() - interval '1 minute' where project_id = $1`, [
      scope.projectId,
    ]);
    const replay = await instance().all(2);
    expect(replay).toMatchObject([{ seq: 1_000_000, type: 'turn.completed', data: { status: 'completed' } }]);
  });

  it('cost a look as much for two hundred followers in another instance as for one', async () => {
    const reads: string[] = [];
    const keys: unknown[] = [];
    const counting: Database = {
      ...db,
      query(sql, params) {
        if (isLook(sql)) keys.push(params?.[2]);
        else reads.push(sql);
        return db.query(sql, params);
      },
    };
    const here = instance();
    here.say(created());
    await here.flush();
    const there = instance({ db: counting });
    const seen = Array.from({ length: 200 }, () => 0);
    const followers = seen.map(async (_, place) => {
      for await (const { seq } of there.follow(scope, 1, 0, never)) seen[place] = seq;
    });
    await expect.poll(() => Math.min(...seen)).toBe(1);
    await expect.poll(() => keys.length).toBeGreaterThan(1);
    const before = reads.length;
    for (const seq of [2, 3, 4]) {
      here.say(delta('More. '));
      await here.flush();
      await expect.poll(() => Math.min(...seen)).toBe(seq);
    }
    await end('completed');
    here.say(completed());
    await Promise.all(followers);
    expect(reads.length - before).toBeLessThan(10);
    for (const turns of keys) expect(turns).toEqual([1]);
  });

  it('are looked for again when that fails, and followers are let go when it goes on failing', async () => {
    let away = 3;
    const shaky: Database = {
      ...db,
      query: (sql, params) =>
        isLook(sql) && away-- > 0 ? Promise.reject(new Error('gone for a moment')) : db.query(sql, params),
    };
    const here = instance();
    here.say(created());
    await here.flush();
    const follower = instance({ db: shaky }).all();
    await expect.poll(() => away).toBeLessThan(0);
    here.say(delta('So.'));
    await here.flush();
    away = Number.POSITIVE_INFINITY;
    await expect(follower).rejects.toThrow('gone for a moment');
    away = 0;
    await end('completed');
    here.say(completed());
    await here.flush();
    expect(await instance({ db: shaky }).all()).toHaveLength(3);
  });
});
