import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { findProject } from '../../../src/db/projects.ts';
import { fakeLanguageModel } from '../../fakes/language-model.ts';
import { clusterServers } from '../../helpers/cluster.ts';
import { openTestDatabase } from '../../helpers/database.ts';
import { gate } from '../../helpers/gate.ts';
import { heldFor, storeTurn } from '../../helpers/rows/turn.ts';
import { SAY, turnBench } from '../../helpers/turns.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

/** How many statements wait for a row: on a cluster they do at the node that has it, in parts of which none has their text. */
const WAITING = clusterServers()
  ? `select sum(result::int)::int as count from run_command_on_all_nodes($$ select count(*) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' $$)`
  : `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like 'with project as%'`;
const waiting = async (): Promise<number> => (await db.query<{ count: number }>(WAITING)).rows[0]?.count ?? 0;

describe('one turn at a time', () => {
  it('refuses a second turn with the address of the running one', async () => {
    const { open, opened } = gate();
    const answer = fakeLanguageModel(() => opened.then(() => ({ text: 'Done.' })));
    const bench = await turnBench(db, { answer });
    const results = await Promise.allSettled([
      bench.service.startTurn(bench.scope, { ...SAY, message: 'First' }),
      bench.service.startTurn(bench.scope, { ...SAY, message: 'Second' }),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = results.find((result) => result.status === 'rejected');
    expect(refused?.reason).toMatchObject({
      code: 'turn_in_progress',
      extra: { running_turn: `/projects/${bench.scope.projectId}/turns/1` },
    });
    open();
    const started = results.find((result) => result.status === 'fulfilled');
    expect(await started?.value.done).toMatchObject({ status: 'completed', turn_number: 1 });
    expect(await bench.say('Third')).toMatchObject({ turn_number: 2 });
  });

  it('tells of the turn that runs, and not that there is no room beside it', async () => {
    const { open, opened } = gate();
    const answer = fakeLanguageModel(() => opened.then(() => ({ text: 'Done.' })));
    const bench = await turnBench(db, { answer, options: { mostAtOnce: 1 } });
    const held = gate();
    const released = gate();
    const holder = db.transaction(async (tx) => {
      await tx.query('select from projects where project_id = $1 for no key update', [bench.scope.projectId]);
      held.open();
      await released.opened;
    });
    await held.opened;
    // where there are several connections, both have begun before either has the project
    const both = Promise.allSettled([
      bench.service.startTurn(bench.scope, { ...SAY, message: 'One' }),
      bench.service.startTurn(bench.scope, { ...SAY, message: 'One' }),
    ]);
    if (db.kind === 'server') await expect.poll(waiting).toBe(2);
    released.open();
    await holder;
    const results = await both;
    const refused = results.find((result) => result.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 'turn_in_progress' });
    open();
    await results.find((result) => result.status === 'fulfilled')?.value.done;
  });

  it('takes a turn whose worker is gone for interrupted, and lets it be retried', async () => {
    const bench = await turnBench(db);
    await storeTurn(db, bench.scope, { ...heldFor(-1), message: 'Lost?' });
    expect(await bench.say('Next')).toMatchObject({ turn_number: 2, status: 'completed' });
    const lost = await bench.service.getTurn(bench.scope, 1);
    expect(lost).toMatchObject({
      status: 'failed',
      message: 'Lost?',
      error: { code: 'interrupted', retryable: true },
    });
    const retried = await (await bench.service.retryTurn(bench.scope, 1)).done;
    expect(retried).toMatchObject({
      turn_number: 1,
      status: 'completed',
      attempt: 2,
      message: 'Lost?',
      error: null,
    });
  });

  it('shows an expired turn as failed to whoever looks', async () => {
    const bench = await turnBench(db);
    await storeTurn(db, bench.scope, { ...heldFor(-1), message: 'Lost?' });
    const { data } = await bench.service.listTurns(bench.scope, { limit: 10, order: 'desc' });
    expect(data).toMatchObject([{ turn_number: 1, status: 'failed' }]);
  });

  it('stops, without a trace in the state, when its turn was taken from it', async () => {
    const { open, opened } = gate();
    const answer = fakeLanguageModel(() => opened.then(() => ({ text: 'Too late.', toolCalls: [] })));
    const bench = await turnBench(db, { answer });
    const { done } = await bench.service.startTurn(bench.scope, { ...SAY, message: 'Hi' });
    await db.query(`update turns set locked_by = 'other', attempt = 2 where project_id = $1`, [
      bench.scope.projectId,
    ]);
    open();
    await expect(done).rejects.toMatchObject({ extra: { turn_number: 1 } });
    const turn = await bench.service.getTurn(bench.scope, 1);
    expect(turn).toMatchObject({ status: 'in_progress', response: null });
    expect((await findProject(db, bench.scope))?.state.turn_count).toBe(0);
    expect(bench.events.some(({ type }) => type === 'turn.failed' || type === 'turn.completed')).toBe(false);
  });
});
