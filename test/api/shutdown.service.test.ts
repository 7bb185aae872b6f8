import { expect, it } from 'vitest';
import { fakeLanguageModel, routeReply } from '../fakes/language-model.ts';
import { startTestApp } from '../helpers/app.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { gate } from '../helpers/gate.ts';
import { gatedEmbeddingModel } from '../helpers/gated-embedding.ts';

const smallModel = fakeLanguageModel(() => ({ text: routeReply() }));

/** A model that stands still until it may answer. */
function gatedAnswer(text: string) {
  const asked = gate();
  const allowed = gate();
  const model = fakeLanguageModel(async () => {
    asked.open();
    await allowed.opened;
    return { text };
  });
  return { model, asked: asked.opened, say: allowed.open };
}

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

it('answers what it has taken on, refuses what is new, and is then gone', async () => {
  const answer = gatedAnswer('The CFO does.');
  const forge = await startTestApp({ overrides: { answerModel: answer.model, smallModel } });
  const origin = await forge.app.listen({ host: '127.0.0.1', port: 0 });
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  const first = fetch(`${origin}/projects/p/turns`, json({ message: 'Who decides?' }));
  await answer.asked;

  const closed = forge.close();
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  const ready = await fetch(`${origin}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ ready: false, accepting: { ok: false } });
  const upload = new FormData();
  upload.append('file', new Blob(['# Plan']), 'plan.md');
  for (const refused of await Promise.all([
    fetch(`${origin}/projects/p/turns`, json({ message: 'And who pays?' })),
    fetch(`${origin}/projects/p/files`, { method: 'POST', body: upload }),
    fetch(`${origin}/projects`),
  ])) {
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.headers.get('connection')).toBe('close');
    expect(await refused.json()).toMatchObject({ code: 'service_unavailable', retryable: true });
  }

  answer.say();
  expect(await (await first).json()).toMatchObject({ status: 'completed', response: 'The CFO does.' });
  await closed;
  await expect(fetch(`${origin}/healthz`)).rejects.toThrow();
});

it('does not keep an upload waiting for its ingestion, which another process ends', async () => {
  const opened = await openTestDatabase();
  const db = { ...opened, close: async () => undefined };
  const embeddingModel = gatedEmbeddingModel();
  // the job is broken off and given back soon
  const settings = { SHUTDOWN_SECONDS: '1' };
  const forge = await startTestApp({ settings, overrides: { db, embeddingModel } });
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  const arrived = embeddingModel.shut();
  const upload = forge.upload('p', { 'plan.md': '# Plan\n\nThe budget is small.' });
  await arrived;
  const closed = forge.close();
  expect(await upload).toMatchObject({ status: 202, body: { status: 'in_progress' } });
  await closed;

  embeddingModel.open();
  const next = await startTestApp({ overrides: { db, embeddingModel } });
  const status = async () => (await next.call('GET', '/projects/p/files/plan.md')).body.status;
  await expect.poll(status).toBe('completed');
  await next.close();
  await opened.close();
});
