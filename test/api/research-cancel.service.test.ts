import { expect, it } from 'vitest';
import { fakeLanguageModel } from '../fakes/language-model.ts';
import { startTestApp } from '../helpers/app.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { gate } from '../helpers/gate.ts';
import { openStream } from '../helpers/sse.ts';

const SAID = `What is known so far ${'of those who decide '.repeat(20)}`.trim();

it('stops a run that goes on in another instance and is silent, long before its heartbeat; others follow it', async () => {
  const opened = await openTestDatabase();
  const db = { ...opened, close: async () => undefined };
  const settings = { TURN_LEASE_SECONDS: '3600' };
  const { open: asked, opened: silent } = gate();
  const stopped: unknown[] = [];
  const answerModel = fakeLanguageModel(({ signal, onText }, call) => {
    if (call === 0) return { toolCalls: [{ name: 'list_project_files', input: {} }] };
    onText?.(SAID);
    return new Promise((_, reject) => {
      asked();
      signal?.addEventListener('abort', () => {
        stopped.push(signal.reason.reason);
        reject(new Error('aborted'));
      });
    });
  });
  const here = await startTestApp({ settings, overrides: { db, answerModel } });
  const there = await startTestApp({ settings, overrides: { db } });
  try {
    await here.call('POST', '/projects', { id: 'p', name: 'P' });
    const origin = await here.app.listen({ host: '127.0.0.1', port: 0 });
    const stream = await openStream(`${origin}/projects/p/research`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ question: 'Who decides?' }),
    });
    const created = await stream.until('run.created');
    await silent;
    const elsewhere = await there.app.listen({ host: '127.0.0.1', port: 0 });
    const follower = await openStream(`${elsewhere}/projects/p/research/${created.data.id}/events`);
    await follower.until('run.created');
    const cancelled = await there.call('POST', `/projects/p/research/${created.data.id}/cancel`);
    expect(cancelled.body).toMatchObject({ status: 'cancelled', error: null });
    const end = { event: 'run.cancelled', data: { status: 'cancelled' } };
    expect((await stream.all()).at(-1)).toMatchObject(end);
    expect((await follower.all()).at(-1)).toMatchObject(end);
    expect(stopped).toEqual(['lost']);
    // what it had done and spent is added by its worker
    const { body: run } = await there.call('GET', `/projects/p/research/${created.data.id}`);
    expect(run).toMatchObject({
      status: 'cancelled',
      answer: SAID,
      steps: [{ tool: 'list_project_files' }],
      usage: { by_phase: { research: { calls: 1 } } },
      timings_ms: { total: expect.any(Number) },
      model: 'fake-model',
    });
  } finally {
    await here.close();
    await there.close();
    await opened.close();
  }
});
