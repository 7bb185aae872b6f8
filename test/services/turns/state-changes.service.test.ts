import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyState } from '../../../src/contract/state.ts';
import type { Database } from '../../../src/db/database.ts';
import { findProject, saveState } from '../../../src/db/projects.ts';
import { fakeLanguageModel, routeReply } from '../../fakes/language-model.ts';
import { openTestDatabase } from '../../helpers/database.ts';
import { gate } from '../../helpers/gate.ts';
import { REGISTER, SAY, turnBench } from '../../helpers/turns.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

describe('the state', () => {
  it('takes the changes of a turn on top of what a client changed meanwhile', async () => {
    const { open, opened } = gate();
    const answer = fakeLanguageModel(async (_, call) => {
      if (call > 0) return { text: 'Noted.' };
      await opened;
      return {
        toolCalls: [
          REGISTER,
          {
            name: 'register_assumption',
            input: { ...REGISTER.input, statement: 'It is cheap', depends_on: ['a1'] },
          },
          { name: 'update_assumption', input: { id: 'a1', confidence: 'informed' } },
        ],
      };
    });
    const bench = await turnBench(db, { answer });
    const { done } = await bench.service.startTurn(bench.scope, { ...SAY, message: 'Hi' });
    const mine = {
      id: 'a1',
      statement: 'Written by a client',
      confidence: 'validated' as const,
      impact: 'low' as const,
      status: 'active' as const,
      depends_on: [],
      source_turn: null,
      evidence: [],
      sources: [],
      stale: [],
    };
    await db.transaction((tx) =>
      saveState(tx, bench.scope, { ...emptyState(), org_context: 'New', assumptions: [mine] }),
    );
    open();
    const turn = await done;
    const state = (await findProject(db, bench.scope))?.state;
    expect(state?.org_context).toBe('New');
    expect(state?.assumptions).toMatchObject([
      mine,
      { id: 'a2', statement: 'Sales will use it', confidence: 'informed' },
      { id: 'a3', statement: 'It is cheap', depends_on: ['a2'] },
    ]);
    expect(turn.state_changes).toMatchObject([
      { id: 'a2' },
      { id: 'a3' },
      { id: 'a2', confidence: 'informed' },
    ]);
  });

  it('records a change that can no longer be made', async () => {
    const { open, opened } = gate();
    const before = { ...emptyState() };
    before.assumptions = [
      {
        id: 'a1',
        statement: 'It holds',
        confidence: 'guessed',
        impact: 'high',
        status: 'active',
        depends_on: [],
        source_turn: null,
        evidence: [],
        sources: [],
        stale: [],
      },
    ];
    const answer = fakeLanguageModel(async (_, call) => {
      if (call > 0) return { text: 'Gone.' };
      await opened;
      return { toolCalls: [{ name: 'update_assumption', input: { id: 'a1', status: 'invalidated' } }] };
    });
    const bench = await turnBench(db, { answer, state: before });
    const { done } = await bench.service.startTurn(bench.scope, { ...SAY, message: 'Hi' });
    await db.transaction((tx) => saveState(tx, bench.scope, emptyState()));
    open();
    expect((await done).state_changes).toMatchObject([{ tool: 'update_assumption', applied: false }]);
  });

  it('changes the mode with the routing, and says so', async () => {
    const router = fakeLanguageModel(() => ({
      text: routeReply({
        active_mode: 'evaluation',
        action: 'switch_mode',
        next_probe: 'problem-solution-fit',
      }),
    }));
    const bench = await turnBench(db, { router });
    const turn = await bench.say('Judge our plan now.');
    expect(turn.state_changes).toEqual([
      { tool: 'switch_mode', applied: true, mode: 'evaluation', previous_mode: 'discovery' },
    ]);
    expect((await findProject(db, bench.scope))?.state.routing).toMatchObject({
      active_mode: 'evaluation',
      active_probe: 'problem-solution-fit',
    });
  });
});
