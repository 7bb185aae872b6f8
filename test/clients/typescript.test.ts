import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { ConnectionError, createForge, type ForgeOptions } from '../../clients/typescript/src/index.ts';
import { isRepeatable } from '../../clients/typescript/src/repeatable.ts';

// The client against answers that are made up here.

const BASE = 'http://forge.test';

/** A client of a service that answers by `answers`, one after the other; what it was asked is told. */
function clientOf(answers: (() => Response)[], options: Omit<ForgeOptions, 'baseUrl'> = {}) {
  const asked: { method: string; url: string; init: RequestInit }[] = [];
  const forge = createForge({
    baseUrl: BASE,
    longestPauseMs: 1,
    ...options,
    async fetch(url, init = {}) {
      asked.push({ method: init.method ?? '', url: String(url).slice(BASE.length), init });
      const answer = answers.shift();
      if (answer === undefined) throw new TypeError('fetch failed');
      return answer();
    },
  });
  return { forge, asked };
}

const broken = (): Response => {
  throw new TypeError('fetch failed');
};
const busy = (): Response =>
  Response.json({ code: 'overloaded', status: 503, detail: 'Busy.', retryable: true }, { status: 503 });
const streamOf = (text: string) => (): Response =>
  new Response(text, { headers: { location: '/projects/p/turns/1' } });

async function allOf<T>(events: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const event of events) all.push(event);
  return all;
}

it('reads events with line separators in their texts, in pieces of any length', async () => {
  const text = 'one\u2028two\u2029three\u0085four, é';
  const deltas = `: ping\n\nid: 1\nevent: answer.delta\ndata: ${JSON.stringify({ text })}\n\n`;
  const bytes = new TextEncoder().encode(`${deltas}id: 2\nevent: turn.completed\ndata: {}\n\n`);
  const body = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const { forge, asked } = clientOf([() => new Response(body, { headers: { location: '/t' } })]);
  const events = await allOf(forge.turn('p', { message: 'Hello' }));
  expect(events).toEqual([
    { id: 1, event: 'answer.delta', data: { text } },
    { id: 2, event: 'turn.completed', data: {} },
  ]);
  expect(asked).toHaveLength(1);
});

it('follows a file to its end, and goes on after its last event', async () => {
  const event = (id: number, kind: string) => `id: ${id}\nevent: file.${kind}\ndata: {"name":"a b.md"}\n\n`;
  const { forge, asked } = clientOf([
    streamOf(event(3, 'progress')),
    streamOf(event(4, 'progress') + event(5, 'completed')),
  ]);
  const kinds = (await allOf(forge.followFile(null, 'a b.md'))).map(({ event: kind }) => kind);
  expect(kinds).toEqual(['file.progress', 'file.progress', 'file.completed']);
  expect(asked.map(({ url }) => url)).toEqual(Array(2).fill('/library/files/a%20b.md/events'));
  expect(asked[1]?.init.headers).toMatchObject({ 'last-event-id': '3' });
});

it('says that it cannot be reached, with the reason', async () => {
  const { forge, asked } = clientOf([], { attempts: 2 });
  const error = await forge.call('get', '/version', {}).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ message: `There is no service to be reached at ${BASE}.` });
  expect((error as Error).cause).toBeInstanceOf(TypeError);
  expect(asked).toHaveLength(2);
});

it('tries again only what it is to', async () => {
  const refusing = clientOf([busy, () => Response.json({})], { retryIf: () => false });
  await expect(refusing.forge.call('get', '/version', {})).rejects.toMatchObject({ code: 'overloaded' });
  expect(refusing.asked).toHaveLength(1);
});

it('does not send again what would be done twice, unless nothing of it was done', async () => {
  const key = { body: { name: 'K', scopes: ['read' as const] } };
  const lost = clientOf([broken, () => Response.json({})]);
  await expect(lost.forge.call('post', '/keys', key)).rejects.toBeInstanceOf(ConnectionError);
  expect(lost.asked).toHaveLength(1);
  const refused = clientOf([busy, () => Response.json({})]);
  await refused.forge.call('post', '/keys', key);
  expect(refused.asked).toHaveLength(2);
});

/** POSTs that take no key since it does no harm to have them twice: they read, or end what has ended then. */
const HARMLESS = /(\/search|\/sections|:verify|\/cancel|\/backup)$/;

it('knows of every operation whether it may be done twice', async () => {
  const { paths } = JSON.parse(await readFile('openapi/openapi.json', 'utf8'));
  const posts = Object.entries<{ post?: { parameters?: { name: string }[] } }>(paths).flatMap(
    ([path, { post }]) => (post === undefined ? [] : [{ path, parameters: post.parameters ?? [] }]),
  );
  const safe = posts.filter(
    ({ path, parameters }) =>
      HARMLESS.test(path) || parameters.some(({ name }) => name === 'idempotency-key'),
  );
  expect(safe).not.toHaveLength(posts.length);
  expect(posts.filter(({ path }) => isRepeatable('post', path))).toEqual(safe);
});

it('sends a blob as it is, by its type', async () => {
  const { forge, asked } = clientOf([() => Response.json({})]);
  const body = new Blob(['PK'], { type: 'application/zip' });
  await forge.call('post', '/projects:import', { body, query: { on_conflict: 'rename' } });
  expect(asked[0]).toMatchObject({ method: 'POST', url: '/projects:import?on_conflict=rename' });
  expect(asked[0]?.init.body).toBe(body);
  expect(asked[0]?.init.headers).toMatchObject({ 'content-type': 'application/zip' });
});

it('tells why a service cannot do its work', async () => {
  const { forge } = clientOf([() => Response.json({ status: 'unavailable' }, { status: 503 })]);
  expect(await forge.readiness()).toEqual({ status: 'unavailable' });
});
