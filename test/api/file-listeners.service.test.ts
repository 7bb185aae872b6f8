import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database, Queryable } from '../../src/db/database.ts';
import { startTestApp } from '../helpers/app.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { gatedEmbeddingModel } from '../helpers/gated-embedding.ts';
import { openStream } from '../helpers/sse.ts';

const MOST = 60;
const ASYNC = { prefer: 'respond-async' };
const embeddingModel = gatedEmbeddingModel();

let forge: Awaited<ReturnType<typeof startTestApp>>;
let base: string;
let watching = 0;
/** Names that files were looked up by. */
const soughtNames: unknown[] = [];

/** A database that counts the looks at files that are watched, and notes what files are looked up by. */
function counted(db: Database): Database {
  const counting = (queryable: Queryable): Queryable => ({
    async query(sql, params) {
      if (sql.includes('with ordinality') && sql.includes('left join file_versions')) watching += 1;
      const result = await queryable.query<never>(sql, params);
      if (sql.endsWith('and f.name = $3')) soughtNames.push(params?.[2]);
      return result;
    },
  });
  return { ...db, ...counting(db) };
}

beforeAll(async () => {
  const db = counted(await openTestDatabase());
  const settings = { MAX_EVENT_STREAMS: String(MOST) };
  forge = await startTestApp({ settings, overrides: { db, embeddingModel } });
  base = await forge.app.listen({ host: '127.0.0.1', port: 0 });
  await forge.call('POST', '/projects', { id: 'p', name: 'p' });
});
afterAll(() => forge.close());

it('watches a file for all its listeners with one statement, and refuses more of them than there is room for', async () => {
  const arrived = embeddingModel.shut();
  const sent = await forge.upload('p', { 'a.md': '# A\n\nWhat is said of it.' }, ASYNC);
  expect(sent.status).toBe(202);
  await arrived;
  const url = `${base}/projects/p/files/a.md/events`;
  watching = 0;
  const streams = await Promise.all(Array.from({ length: MOST }, () => openStream(url)));
  await Promise.all(streams.map((stream) => stream.until('file.progress')));
  expect(watching).toBeLessThan(MOST / 2);

  const refused = await fetch(url, { headers: { accept: 'text/event-stream' } });
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(await refused.json()).toMatchObject({ code: 'too_many_streams', retryable: true });
  const turn = await fetch(`${base}/projects/p/turns`, {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Hello' }),
  });
  expect(turn.status).toBe(503);
  expect((await forge.call('GET', '/projects/p/turns')).body.data).toEqual([]);

  embeddingModel.open();
  const ends = await Promise.all(streams.map((stream) => stream.until('file.completed')));
  expect(ends.every(({ data }) => data.status === 'completed')).toBe(true);
  const again = await openStream(url);
  await again.until('file.completed');
});

it('stays with a file that is renamed while it is waited for', async () => {
  const arrived = embeddingModel.shut();
  const uploaded = forge.upload('p', { 'old.md': '# Old\n\nWhat is said of it.' }, { prefer: 'wait=20' });
  await arrived;
  const stream = await openStream(`${base}/projects/p/files/old.md/events`);
  await stream.until('file.progress');
  const before = soughtNames.length;
  const waited = forge.call('GET', '/projects/p/files/old.md?wait=20');
  await expect.poll(() => soughtNames.slice(before)).toContain('old.md');
  const renamed = await forge.call('PATCH', '/projects/p/files/old.md', { name: 'new.md' });
  expect(renamed.status).toBe(200);

  embeddingModel.open();
  expect((await stream.until('file.completed')).data).toMatchObject({ name: 'new.md' });
  expect(await waited).toMatchObject({ status: 200, body: { name: 'new.md', status: 'completed' } });
  expect(await uploaded).toMatchObject({
    status: 201,
    headers: { location: '/projects/p/files/new.md' },
    body: { name: 'new.md', status: 'completed' },
  });
});
