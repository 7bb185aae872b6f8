import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { findProject } from '../../../src/db/projects.ts';
import { fakeLanguageModel } from '../../fakes/language-model.ts';
import { openTestDatabase } from '../../helpers/database.ts';
import { gate } from '../../helpers/gate.ts';
import { storeTurnEvent } from '../../helpers/rows/turn.ts';
import { SAY, turnBench } from '../../helpers/turns.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

describe('cancelling', () => {
  it('stops a turn that runs here and keeps what it had said', async () => {
    const { open, opened } = gate();
    const answer = fakeLanguageModel((request, call) => {
      if (call > 0) return { text: 'Here.' };
      request.onText?.('Let me think');
      open();
      return new Promise(() => undefined);
    });
    const bench = await turnBench(db, { answer });
    const { done } = await bench.service.startTurn(bench.scope, { ...SAY, message: 'Hi' });
    await opened;
    const cancelled = await bench.service.cancelTurn(bench.scope, 1);
    expect(cancelled).toMatchObject({ status: 'cancelled', response: 'Let me think', error: null });
    expect(await done).toMatchObject({ status: 'cancelled' });
    expect(bench.events.at(-1)?.type).toBe('turn.cancelled');
    expect(await bench.service.cancelTurn(bench.scope, 1)).toMatchObject({ status: 'cancelled' });
    expect(await bench.say('Again')).toMatchObject({ turn_number: 2, status: 'completed' });
  });

  it('stops a turn that runs in another process', async () => {
    const { open, opened } = gate();
    const answer = fakeLanguageModel((request) => {
      request.onText?.('So far');
      return opened.then(() => ({ text: 'and more' }));
    });
    const bench = await turnBench(db, { answer });
    const { done } = await bench.service.startTurn(bench.scope, { ...SAY, message: 'Hi' });
    const { service: other } = await turnBench(db);
    expect(await other.cancelTurn(bench.scope, 1)).toMatchObject({ status: 'cancelled' });
    open();
    expect(await done).toMatchObject({ status: 'cancelled', response: expect.stringContaining('So far') });
    expect((await findProject(db, bench.scope))?.state.turn_count).toBe(0);
  });

  it('keeps of a turn that is cancelled elsewhere what was stored of it, or more where its worker has more', async () => {
    const { open, opened } = gate();
    const answer = fakeLanguageModel((request) => {
      request.onText?.('So far, and more');
      return opened.then(() => ({ text: '.' }));
    });
    const bench = await turnBench(db, { answer });
    const { done } = await bench.service.startTurn(bench.scope, { ...SAY, message: 'Hi' });
    await storeTurnEvent(db, bench.scope, { seq: 1, type: 'turn.created' });
    await storeTurnEvent(db, bench.scope, { seq: 3, type: 'answer.delta', data: ['So ', 'far'] });
    await storeTurnEvent(db, bench.scope, { seq: 4, type: 'answer.delta', data: [', and'] });
    const { service: other } = await turnBench(db);
    expect(await other.cancelTurn(bench.scope, 1)).toMatchObject({
      status: 'cancelled',
      response: 'So far, and',
    });
    open();
    expect(await done).toMatchObject({ response: expect.stringMatching(/^So far, and more/) });
  });

  it.each([
    ['its heartbeat', { leaseSeconds: 0.9, watchMs: 600_000 }],
    ['looking, long before its next heartbeat', { leaseSeconds: 3_600, watchMs: 5 }],
  ])('finds out by %s that it was cancelled elsewhere', async (_, options) => {
    const answer = fakeLanguageModel(() => new Promise(() => undefined));
    const bench = await turnBench(db, { answer, options });
    const { done } = await bench.service.startTurn(bench.scope, { ...SAY, message: 'Hi' });
    const { service: other } = await turnBench(db);
    await other.cancelTurn(bench.scope, 1);
    expect(await done).toMatchObject({ status: 'cancelled' });
    expect(bench.events.at(-1)?.type).toBe('turn.cancelled');
  });

  it('interrupts turns that do not end while the process stops', async () => {
    const answer = fakeLanguageModel(() => new Promise(() => undefined));
    const bench = await turnBench(db, { answer });
    const { done } = await bench.service.startTurn(bench.scope, { ...SAY, message: 'Hi' });
    await Promise.all([
      expect(done).rejects.toMatchObject({ code: 'service_unavailable' }),
      bench.service.stop(0),
    ]);
    expect(await bench.service.getTurn(bench.scope, 1)).toMatchObject({
      status: 'failed',
      error: { code: 'interrupted', retryable: true },
    });
  });
});
