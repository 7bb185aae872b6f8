import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { gatedEmbeddingModel } from '../helpers/gated-embedding.ts';
import { openStream } from '../helpers/sse.ts';
import { createTenants } from '../helpers/tenants.ts';

const embeddingModel = gatedEmbeddingModel();
let forge: Awaited<ReturnType<typeof startTestApp>>;
let base: string;

beforeAll(async () => {
  forge = await startTestApp({ overrides: { embeddingModel } });
  base = await forge.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => forge.close());

it('breaks the streams of a key off when it is revoked, and no others', async () => {
  const { service, of } = await createTenants(forge, ['acme']);
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
