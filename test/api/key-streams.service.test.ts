import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { gatedEmbeddingModel } from '../helpers/gated-embedding.ts';
import { openStream } from '../helpers/sse.ts';
import { createTenants } from '../helpers/tenants.ts';

const embeddingModel = gatedEmbeddingModel();
let forge: Awaited<ReturnType<typeof startTestApp>>;
let base: string;
let tenants: Awaited<ReturnType<typeof createTenants>>;

beforeAll(async () => {
  forge = await startTestApp({ settings: { MAX_EVENT_STREAMS: '8' }, overrides: { embeddingModel } });
  base = await forge.app.listen({ host: '127.0.0.1', port: 0 });
  tenants = await createTenants(forge, ['acme', 'greedy', 'modest']);
});
afterAll(() => forge.close());

it('breaks the streams of a key off when it is revoked, and no others', async () => {
  const { service, of } = tenants;
  await forge.call('POST', '/projects', { id: 'p', name: 'p' }, of('acme'));
  const arrived = embeddingModel.shut();
  await forge.upload('p', { 'a.md': '# A\n\nOne line.' }, { ...of('acme'), prefer: 'respond-async' });
  await arrived;
  const made = await forge.call(
    'POST',
    '/keys',
    { name: 'Reader', scopes: ['read'], workspace: 'acme' },
    service,
  );
  const follow = async (headers: Record<string, string>) => {
    const stream = await openStream(`${base}/projects/p/files/a.md/events`, { headers });
    await stream.until('file.progress');
    return stream;
  };
  const revoked = await follow({ authorization: `Bearer ${made.body.key}` });
  const kept = await follow(of('acme'));

  await forge.call('DELETE', `/keys/${made.body.id}?workspace=acme`, undefined, service);
  await expect(revoked.all()).rejects.toThrow();
  embeddingModel.open();
  expect((await kept.until('file.completed')).event).toBe('file.completed');
});

it('gives one workspace half of the streams at most', async () => {
  const { of } = tenants;
  const open = async (workspace: string) => {
    const headers = { ...of(workspace), accept: 'text/event-stream' };
    const stop = new AbortController();
    const answer = await fetch(`${base}/projects/feed/events?after=now`, { headers, signal: stop.signal });
    return { answer, stop };
  };
  for (const name of ['greedy', 'modest']) {
    await forge.call('POST', '/projects', { id: 'feed', name: 'feed' }, of(name));
  }
  const held = await Promise.all(Array.from({ length: 4 }, () => open('greedy')));
  expect(held.map(({ answer }) => answer.status)).toEqual([200, 200, 200, 200]);
  const refused = (await open('greedy')).answer;
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({
    code: 'too_many_streams',
    detail: expect.stringContaining('for your workspace'),
  });
  const other = await open('modest');
  expect(other.answer.status).toBe(200);
  for (const { stop } of [...held, other]) stop.abort();
});
