import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  /** Not false: it is open on purpose. */
  additionalProperties?: unknown;
}

interface Operation {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema?: Schema; example?: unknown }> };
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const contract = JSON.parse(readFileSync('openapi/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
const operations = Object.entries(contract.paths).flatMap(([path, found]) =>
  Object.entries(found)
    .filter(([method]) => METHODS.includes(method))
    .map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase() as 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
      path,
      query: (operation.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name),
      body: operation.requestBody?.content['application/json'],
    })),
);
const KNOWN: Record<string, string> = {
  project_id: 'p',
  name: 'a.md',
  n: '1',
  code: 'invalid_request',
  workspace_id: 'default',
};
/** The objects in a body, each by the place of its members: `/limits`. */
function objectsIn(schema: Schema, place = ''): { place: string; members: string[] }[] {
  const found =
    schema.$ref === undefined ? schema : contract.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
  if (!found) return [];
  const inner = Object.entries(found.properties ?? {}).flatMap(([name, member]) =>
    objectsIn(member, `${place}/${name}`),
  );
  const members = Object.keys(found.properties ?? {});
  const isOpen = members.length === 0 || (found.additionalProperties ?? false) !== false;
  const own = isOpen ? [] : [{ place, members }];
  return [
    ...own,
    ...inner,
    ...(found.items ? objectsIn(found.items, `${place}/0`) : []),
    ...(found.anyOf ?? []).flatMap((branch) => objectsIn(branch, place)),
  ];
}

/** A body that has an unknown member in one of its objects. */
function bodyWith(place: string, name: string): unknown {
  const [, ...parts] = place.split('/');
  return parts.reduceRight<unknown>((value, part) => (part === '0' ? [value] : { [part]: value }), {
    [name]: 1,
  });
}

/** A path whose parameters are all well formed, though nothing need be there. */
const urlOf = (path: string): string => path.replace(/\{(\w+)\}/g, (_, name: string) => KNOWN[name] ?? 'x');

let forge: TestApp;
beforeAll(async () => {
  forge = await startTestApp();
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  await forge.upload('p', { 'a.md': '# A\n\nText.' });
  await forge.uploadToLibrary({ 'a.md': '# A\n\nText.' });
  KNOWN.webhook_id = (await forge.call('POST', '/webhooks', { url: 'https://hooks.example/forge' })).body.id;
});
afterAll(() => forge.close());

const problem = { headers: { 'content-type': expect.stringMatching(/^application\/problem\+json/) } };
const refused = (pointer: string, detail: string) => ({
  ...problem,
  status: 400,
  body: {
    code: 'invalid_request',
    errors: expect.arrayContaining([
      expect.objectContaining({ pointer, detail: expect.stringContaining(detail) }),
    ]),
  },
});

describe('every operation', () => {
  it.each(operations)(
    'refuses a parameter that it does not know: $name',
    async ({ method, path, query, body }) => {
      const [nearest] = query;
      const name = nearest === undefined ? 'verbose' : `${nearest}s`;
      const said = nearest === undefined ? `There is no "${name}" here` : `did you mean "${nearest}"?`;
      const answer = await forge.call(method, `${urlOf(path)}?${name}=1`, body && (body.example ?? {}));
      expect(answer).toMatchObject(refused(name, said));
    },
  );

  it.each(operations)('says which methods its path has: $name', async ({ path, method }) => {
    const { statusCode, headers } = await forge.app.inject({ method: 'TRACE' as never, url: urlOf(path) });
    expect({ statusCode, ...headers }).toMatchObject({
      statusCode: 405,
      allow: expect.stringContaining(method),
      ...problem.headers,
    });
  });
});

describe('every body', () => {
  const objects = operations.flatMap(({ name, method, path, body }) =>
    objectsIn(body?.schema ?? {}).map((object) => ({
      ...object,
      name: `${name} ${object.place}`,
      method,
      path,
    })),
  );

  it.each(objects)(
    'refuses a member that it does not know: $name',
    async ({ method, path, place, members }) => {
      const wrong = `${members[0]}x`;
      const answer = await forge.call(method, urlOf(path), bodyWith(place, wrong));
      expect(answer).toMatchObject(
        refused(`${place}/${wrong}`, `There is no "${wrong}" here; did you mean "${members[0]}"?`),
      );
    },
  );

  it.each(operations.filter(({ body }) => body))(
    'says where it stops being JSON: $name',
    async ({ method, path }) => {
      const answer = await forge.app.inject({
        method,
        url: urlOf(path),
        headers: { 'content-type': 'application/json' },
        payload: '{\n  "name": }',
      });
      expect({ status: answer.statusCode, ...answer.json() }).toMatchObject({
        status: 400,
        code: 'invalid_json',
        detail: 'The body is not valid JSON: line 2, column 11: a value is expected.',
      });
    },
  );
});

describe('every list', () => {
  const lists = operations.filter(({ query }) => query.includes('before'));

  it.each(lists)('goes on at one end only: $name', async ({ path }) => {
    const answer = await forge.call('GET', `${urlOf(path)}?after=x&before=x`);
    expect(answer).toMatchObject(refused('before', 'send "after" or "before", not both'));
  });

  it.each(lists)('says how long a page may be: $name', async ({ path }) => {
    for (const [limit, said] of [
      ['0', 'must be at least 1'],
      ['101', 'must be at most 100'],
      ['1.5', 'must be a whole number'],
      ['many', 'must be a whole number'],
    ]) {
      expect(await forge.call('GET', `${urlOf(path)}?limit=${limit}`)).toMatchObject(
        refused('limit', said ?? ''),
      );
    }
  });
});

describe('a wrong field is told in words', () => {
  it.each([
    ['/projects', {}, '/name', 'is required'],
    ['/projects', { name: '' }, '/name', 'must not be empty'],
    ['/projects', { name: 5 }, '/name', 'must be a string, not a number'],
    ['/projects', { name: 'x'.repeat(201) }, '/name', 'must have at most 200 characters'],
    ['/projects', [], '/', 'must be an object, not a list'],
    [
      '/projects/p/turns',
      { message: 'x', limits: { max_tool_rounds: '3' } },
      '/limits/max_tool_rounds',
      'must be a whole number, not a string',
    ],
    [
      '/projects/p/turns',
      { message: 'x', limits: { max_tool_rounds: 1.5 } },
      '/limits/max_tool_rounds',
      'must be a whole number',
    ],
    [
      '/projects/p/turns',
      { message: 'x', limits: { max_cost_usd: 0 } },
      '/limits/max_cost_usd',
      'must be more than 0',
    ],
    [
      '/projects/p/search',
      { query: 'x', mode: 'lexicl' },
      '/mode',
      'must be one of "hybrid", "semantic", "lexical"; did you mean "lexical"?',
    ],
    [
      '/keys',
      { name: 'k', scopes: ['read'], expires_at: 'soon' },
      '/expires_at',
      'must be a date and a time with its time zone, as 2026-01-31T09:30:00Z',
    ],
    [
      '/projects/p/tools/search_documents',
      { querry: 'x' },
      '/querry',
      'There is no "querry" here; did you mean "query"?',
    ],
  ])('POST %s %j', async (url, body, pointer, detail) => {
    const { body: told } = await forge.call('POST', url, body);
    expect(told.errors).toContainEqual(expect.objectContaining({ pointer, detail }));
  });

  it.each([
    [
      '{"strategy":"fixd"}',
      'chunking.strategy',
      'must be one of "hierarchical", "fixed"; did you mean "fixed"?',
    ],
    [
      '{"strategy":"fixed","overlap":1}',
      'chunking.overlap',
      'There is no "overlap" here; did you mean "overlap_chars"?',
    ],
    ['{"strategy":}', 'chunking', 'must be JSON; line 1, column 13: a value is expected'],
  ])('chunking=%s', async (chunking, pointer, detail) => {
    const { body } = await forge.upload(
      'p',
      { 'b.md': '# B' },
      {},
      `?chunking=${encodeURIComponent(chunking)}`,
    );
    expect(body.errors).toContainEqual(expect.objectContaining({ pointer, detail }));
  });

  it('of the branch that was meant, where there are several', async () => {
    const quotas = async (bytes: unknown) =>
      (await forge.call('PATCH', '/workspaces/default', { quotas: { bytes } })).body.errors;
    expect(await quotas(-1)).toMatchObject([{ pointer: '/quotas/bytes', detail: 'must be at least 0' }]);
    expect(await quotas('many')).toMatchObject([
      { pointer: '/quotas/bytes', detail: 'must be a whole number, not a string, or must be "default"' },
    ]);
  });

  it('in a form, too', async () => {
    const form = new FormData();
    form.append('on_duplicat', 'skip');
    form.append('file', new Blob(['# B']), 'b.md');
    const request = new Request('http://localhost/', { method: 'POST', body: form });
    const answer = await forge.app.inject({
      method: 'POST',
      url: '/projects/p/files',
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      payload: Buffer.from(await request.arrayBuffer()),
    });
    expect(answer.json().errors).toMatchObject([
      { pointer: 'on_duplicat', detail: 'There is no "on_duplicat" here; did you mean "on_duplicate"?' },
    ]);
  });
});

it('answers what has not changed without a body, or the length and type of one', async () => {
  for (const url of ['/projects/p/state', '/projects/p/files/a.md', '/projects/p/files/a.md/content']) {
    const { headers } = await forge.call('GET', url);
    const unchanged = await forge.call('GET', url, undefined, { 'if-none-match': headers.etag });
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    expect(unchanged.headers).not.toHaveProperty('content-length');
    expect(unchanged.headers).not.toHaveProperty('content-type');
    expect(unchanged.headers).toHaveProperty('etag', headers.etag);
  }
});
