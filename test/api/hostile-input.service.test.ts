import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';

// Every operation of the contract with input that nobody sends by mistake: no answer may be a failure on our side.

const HOSTILE_TEXTS = [
  '\u0000',
  'a\u0000b',
  '%00',
  '..',
  '../../etc/passwd',
  '\ud800',
  '\u202e\u0301',
  "'; drop table projects; --",
  '{"$ne": null}',
  '__proto__',
  'constructor',
  '9'.repeat(40),
  '-1',
  'NaN',
  '💥'.repeat(200),
  ' ',
];

const HOSTILE_BODIES: unknown[] = [
  null,
  [],
  'text',
  7,
  {},
  { name: { toString: 1 } },
  { name: '\u0000', id: '\u0000' },
  { query: '\u0000', limit: -1, kinds: ['documents', 'turns'] },
  {
    query: '\u0000 \ud800 x',
    filters: { filenames: ['\u0000'], header_path: ['\ud800'] },
    kinds: ['documents', 'turns'],
  },
  { query: '%_\\', mode: 'semantic', explain: true, kinds: ['turns'] },
  { org_context: '\u0000\ud800', skeleton: { root_cause: '\u0000' }, routing: { active_probe: '\u0000' } },
  { assumptions: [{ id: '\u0000' }], skeleton: null, routing: null },
  { constructor: { prototype: { polluted: true } } },
];

let forge: TestApp;
let operations: { method: string; path: string; hasBody: boolean }[];
beforeAll(async () => {
  forge = await startTestApp();
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  await forge.upload('p', { 'a.md': '# A\n\nSome text.' });
  await forge.call('POST', '/projects/p/turns', { message: 'hello' });
  const { paths } = forge.app.swagger() as {
    paths: Record<string, Record<string, { requestBody?: object }>>;
  };
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      hasBody: operation.requestBody !== undefined,
    })),
  );
});
afterAll(() => forge.close());

/** The path with one parameter hostile and the others those of something that exists. */
function* hostilePaths(path: string): Generator<string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const good: Record<string, string> = { project_id: 'p', name: 'a.md', n: '1' };
  const fill = (values: Record<string, string>) =>
    path.replace(/\{(\w+)\}/g, (_whole, name: string) => values[name] ?? 'x');
  for (const name of names) {
    for (const text of HOSTILE_TEXTS) {
      if (text.isWellFormed()) yield fill({ ...good, [name]: encodeURIComponent(text) });
    }
    yield fill({ ...good, [name]: '%ff' });
  }
}

const send = async (method: string, url: string, payload?: string) => {
  const response = await forge.app.inject({
    method: method as 'GET',
    url,
    ...(payload !== undefined && { payload, headers: { 'content-type': 'application/json' } }),
  });
  return { status: response.statusCode, body: response.body.slice(0, 300) };
};

it('survives hostile paths', async () => {
  for (const { method, path } of operations) {
    for (const url of hostilePaths(path)) {
      const { status, body } = await send(method, url, method === 'GET' ? undefined : '{}');
      expect(status, `${method} ${url} ${body}`).toBeLessThan(500);
    }
  }
});

it('survives hostile query parameters', async () => {
  const reads = operations.filter(({ method }) => method === 'GET');
  for (const { path } of reads) {
    const url = path.replace('{project_id}', 'p').replace('{name}', 'a.md').replace('{n}', '1');
    if (url.includes('/events')) continue; // answers as long as there is something to tell
    for (const text of HOSTILE_TEXTS.filter((each) => each.isWellFormed())) {
      const value = encodeURIComponent(text);
      const names = ['after', 'before', 'limit', 'order', 'status', 'version', 'wait'];
      for (const query of [...names.map((name) => `${name}=${value}`), `after=${value}&after=${value}`]) {
        const { status, body } = await send('GET', `${url}?${query}`);
        expect(status, `GET ${url}?${query} ${body}`).toBeLessThan(500);
      }
    }
  }
});

it('survives hostile bodies', async () => {
  for (const { method, path, hasBody } of operations) {
    if (!hasBody) continue;
    const url = path.replace('{project_id}', 'p').replace('{name}', 'a.md').replace('{n}', '1');
    for (const body of HOSTILE_BODIES) {
      const answer = await send(method, url, JSON.stringify(body));
      expect(answer.status, `${method} ${url} ${JSON.stringify(body)} ${answer.body}`).toBeLessThan(500);
    }
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    expect((await send(method, url, deep)).status, `${method} ${url} deep`).toBeLessThan(500);
    expect((await send(method, url, '{"a": \u0000')).status).toBeLessThan(500);
  }
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
