import { expect, it } from 'vitest';
import { fakeLanguageModel, routeReply } from '../fakes/language-model.ts';
import { startTestApp } from '../helpers/app.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { openStream } from '../helpers/sse.ts';

it('stops a turn that runs in another instance and is silent, long before its heartbeat', async () => {
  const opened = await openTestDatabase();
  const db = { ...opened, close: async () => undefined };
  const settings = { TURN_LEASE_SECONDS: '3600' };
  let asked = (): void => undefined;
  const silent = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const stopped: unknown[] = [];
  const answerModel = fakeLanguageModel(
    ({ signal }) =>
      new Promise((_, reject) => {
        asked();
        signal?.addEventListener('abort', () => {
          stopped.push(signal.reason.reason);
          reject(new Error('aborted'));
        });
      }),
  );
  const smallModel = fakeLanguageModel(() => ({ text: routeReply() }));
  const here = await startTestApp({ settings, overrides: { db, answerModel, smallModel } });
  const there = await startTestApp({ settings, overrides: { db, smallModel } });
  try {
    await here.call('POST', '/projects', { id: 'p', name: 'P' });
    const origin = await here.app.listen({ host: '127.0.0.1', port: 0 });
    const stream = await openStream(`${origin}/projects/p/turns`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Who decides?' }),
    });
    await silent;
    const cancelled = await there.call('POST', '/projects/p/turns/1/cancel');
    expect(cancelled.body).toMatchObject({ status: 'cancelled', error: null });
    expect((await stream.all()).at(-1)).toMatchObject({
      event: 'turn.cancelled',
      data: { status: 'cancelled', response: null },
    });
    expect(stopped).toEqual(['lost']);
  } finally {
    await here.close();
    await there.close();
    await opened.close();
  }
});
