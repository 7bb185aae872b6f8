import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyState } from '../../../src/contract/state.ts';
import type { Database } from '../../../src/db/database.ts';
import { findProject } from '../../../src/db/projects.ts';
import { ModelError } from '../../../src/llm/model.ts';
import { fakeLanguageModel } from '../../fakes/language-model.ts';
import { openTestDatabase } from '../../helpers/database.ts';
import { gate } from '../../helpers/gate.ts';
import { REGISTER, SAY, turnBench } from '../../helpers/turns.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

describe('a turn that fails', () => {
  it('keeps the message and its receipt, changes nothing, and can be retried', async () => {
    let down = true;
    const answer = fakeLanguageModel((_, call) => {
      if (call === 0) return { text: 'Noted.', toolCalls: [REGISTER] };
      if (down) throw new ModelError('overloaded', { reason: 'unavailable', retryAfterSeconds: 7 });
      return { text: 'Better.' };
    });
    const bench = await turnBench(db, { answer });
    await expect(bench.say('Why?')).rejects.toMatchObject({
      code: 'model_unavailable',
      retryAfterSeconds: 7,
      extra: { turn_number: 1 },
    });
    const failed = await bench.service.getTurn(bench.scope, 1);
    expect(failed).toMatchObject({
      status: 'failed',
      message: 'Why?',
      response: null,
      error: { code: 'model_unavailable', retryable: true },
      usage: { by_phase: { answer: { calls: 1 } } },
    });
    expect(await bench.service.getContext(bench.scope, 1)).toMatchObject({ turn_number: 1 });
    expect((await findProject(db, bench.scope))?.state).toEqual(emptyState());
    expect(bench.events.at(-1)).toMatchObject({ type: 'turn.failed', data: { status: 'failed' } });

    down = false;
    const retried = await (await bench.service.retryTurn(bench.scope, 1)).done;
    expect(retried).toMatchObject({ turn_number: 1, status: 'completed', attempt: 2, response: 'Better.' });
    expect(retried.usage?.by_phase.answer?.calls).toBe(2);
    await expect(bench.service.retryTurn(bench.scope, 1)).rejects.toMatchObject({
      code: 'turn_not_retryable',
    });
    await expect(bench.service.retryTurn(bench.scope, 9)).rejects.toMatchObject({ code: 'turn_not_found' });
  });

  it.each([
    ['a refusal', { stopReason: 'refusal' as const }, 'model_rejected', false],
    ['a bug', new TypeError('secret internals'), 'internal_error', true],
    ['a rejected request', new ModelError('no', { reason: 'rejected' }), 'model_rejected', false],
  ])('tells of %s without internals', async (_, reply, code, retryable) => {
    const answer = fakeLanguageModel(() => {
      if (reply instanceof Error) throw reply;
      return reply;
    });
    const bench = await turnBench(db, { answer });
    await expect(bench.say('Why?')).rejects.toMatchObject({ code });
    const { error } = await bench.service.getTurn(bench.scope, 1);
    expect(error).toMatchObject({ code, retryable });
    expect(JSON.stringify(error)).not.toContain('secret');
  });

  it('is over when it takes too long', async () => {
    const answer = fakeLanguageModel(() => new Promise(() => undefined));
    const bench = await turnBench(db, { answer, options: { turnTimeoutMs: 30 } });
    await expect(bench.say('Why?')).rejects.toMatchObject({ code: 'model_unavailable' });
  });

  it('tells its end even when its project was deleted meanwhile', async () => {
    const { open, opened } = gate();
    const answer = fakeLanguageModel(() => opened.then(() => ({ text: 'Hello?' })));
    const bench = await turnBench(db, { answer });
    const { done } = await bench.service.startTurn(bench.scope, { ...SAY, message: 'Hi' });
    await db.query('delete from projects where project_id = $1', [bench.scope.projectId]);
    open();
    await expect(done).rejects.toMatchObject({ code: 'project_not_found' });
    expect(bench.events.at(-1)).toMatchObject({ type: 'turn.failed', data: { turn_number: 1 } });
  });
});
