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

/** A database that counts the looks at files that are watched. */
function counted(db: Database): Database {
  const counting = (queryable: Queryable): Queryable => ({
    query: (sql, params) => {
      if (sql.includes('with ordinality') && sql.includes('left join file_versions')) watching += 1;
      return queryable.query(sql, params);
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
