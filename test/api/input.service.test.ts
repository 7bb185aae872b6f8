import { Duplex } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { portOf, requestText, sendRaw } from '../helpers/raw-http.ts';

let forge: TestApp;
let port: number;
beforeAll(async () => {
  forge = await startTestApp({ settings: { MAX_FILES_PER_UPLOAD: '2' } });
  await forge.app.listen({ host: '127.0.0.1', port: 0 });
  port = portOf(forge.app);
  for (const id of ['p', 'q']) {
    await forge.call('POST', '/projects', { id, name: id });
    await forge.upload(id, { 'a.md': '# A\n\nText.', 'b.md': '# B\n\nText.' });
  }
});
afterAll(() => forge.close());

const post = async (url: string, payload: string | Buffer, headers = {}) => {
  const response = await forge.app.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: response.statusCode, body: response.json() };
};
const refused = (status: number, code: string, detail: RegExp) => ({
  status,
  body: { code, detail: expect.stringMatching(detail) },
});

describe('a body that cannot be kept as it came', () => {
  it('is refused for bytes that are no UTF-8', async () => {
    const body = Buffer.from([...Buffer.from('{"name":"'), 0xff, ...Buffer.from('"}')]);
    expect(await post('/projects', body)).toMatchObject(refused(400, 'invalid_json', /UTF-8/));
  });

  it('is refused for half of a surrogate pair, and says where', async () => {
    const answer = await post(
      '/projects/p/search',
      String.raw`{"query":"x","filters":{"filenames":["\ud800"]}}`,
    );
    expect(answer).toMatchObject(refused(400, 'invalid_request', /surrogate/));
    expect(answer.body.errors[0].pointer).toBe('/filters/filenames/0');
    expect(await post('/projects', String.raw`{"name":"\ud83d\ude00"}`)).toMatchObject({
      status: 201,
      body: { name: '😀' },
    });
  });

  it('is refused where it is compressed or in another charset', async () => {
    expect(await post('/projects', '{}', { 'content-encoding': 'gzip' })).toMatchObject(
      refused(415, 'unsupported_request_type', /Content-Encoding "gzip"/),
    );
    const latin = { 'content-type': 'application/json; charset=iso-8859-1' };
    expect(await post('/projects', '{}', latin)).toMatchObject(
      refused(415, 'unsupported_request_type', /iso-8859-1/),
    );
    const utf8 = { 'content-type': 'application/json; charset="UTF-8"' };
    expect(await post('/projects', '{"name":"U"}', utf8)).toMatchObject({ status: 201 });
  });
});

describe('a name that there is not', () => {
  it.each([
    ['/projects', { nmae: 'P' }, 'name'],
    ['/projects/p/search', { query: 'x', filters: { filename: ['a.md'] } }, 'filenames'],
    ['/projects/p/turns', { mesage: 'x' }, 'message'],
    ['/projects/p/turns', { message: 'x', limits: { max_tool_round: 1 } }, 'max_tool_rounds'],
    ['/projects/p/research', { question: 'x', limit: {} }, 'limits'],
  ])('in the body of %s is told with the nearest: %j', async (url, body, nearest) => {
    expect(await post(url, JSON.stringify(body))).toMatchObject(
      refused(400, 'invalid_request', new RegExp(`did you mean "${nearest}"`)),
    );
  });

  it.each([
    ['/projects?limt=3', 'limt', 'limit'],
    ['/projects/p/files?state=failed', 'state', 'status'],
    ['/healthz?deep=1', 'deep', null],
    ['/projects/p?x=1', 'x', null],
  ])('among the parameters is told: %s', async (url, name, nearest) => {
    const { status, body } = await forge.call('GET', url);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
    expect(body.detail).toContain(`"${name}"`);
    if (nearest !== null) expect(body.detail).toContain(`did you mean "${nearest}"`);
  });
});

describe('a parameter', () => {
  it.each(['0x10', '1e1', '%205', '5.0', '+5', ''])('is a number only in digits: limit=%s', async (limit) => {
    expect((await forge.call('GET', `/projects?limit=${limit}`)).status).toBe(400);
  });

  it.each(['status=%00', 'after=%00', 'x%00=1', 'status=%ff', 'status=%ZZ', 'after=%ed%a0%80'])(
    'is text: %s',
    async (query) => {
      const { status, body } = await forge.call('GET', `/projects/p/files?${query}`);
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
    },
  );

  it('is no failure of ours where a NUL is in a code', async () => {
    expect((await forge.call('POST', '/projects/p/files:retry?code=%00')).status).toBe(400);
  });
});

describe('a cursor', () => {
  const cursorOf = async (url: string): Promise<string> => (await forge.call('GET', url)).body.last_id;

  it('goes on with its own list, and with no other', async () => {
    const cursor = await cursorOf('/projects/p/files?limit=1');
    const page = await forge.call('GET', `/projects/p/files?after=${cursor}`);
    expect(page.body.data.map(({ name }: { name: string }) => name)).toEqual(['b.md']);
    for (const url of ['/projects', '/projects/q/files', '/projects/p/turns', '/library/files']) {
      const { status, body } = await forge.call('GET', `${url}?after=${cursor}`);
      expect({ status, code: body.code }, url).toEqual({ status: 400, code: 'invalid_cursor' });
    }
    const leaves = await cursorOf('/projects/p/files/a.md/leaves?limit=1');
    expect((await forge.call('GET', `/projects/p/files/b.md/leaves?after=${leaves}`)).status).toBe(400);
  });

  it('is at one end of a page', async () => {
    const cursor = await cursorOf('/projects/p/files?limit=1');
    const { status, body } = await forge.call('GET', `/projects/p/files?after=${cursor}&before=${cursor}`);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
  });
});

it('stores nothing of an upload that has more files than it may, and all of one that has not', async () => {
  await forge.call('POST', '/projects', { id: 'many', name: 'Many' });
  const names = async () =>
    (await forge.call('GET', '/projects/many/files')).body.data.map(({ name }: { name: string }) => name);
  const three = await forge.upload('many', { '1.md': '# 1', '2.md': '# 2', '3.md': '# 3' });
  expect(three).toMatchObject(refused(422, 'too_many_files', /Nothing of it was stored/));
  expect(await names()).toEqual([]);
  expect(await forge.upload('many', { '1.md': '# 1', '2.md': '# 2' })).toMatchObject({ status: 201 });
  expect(await names()).toEqual(['1.md', '2.md']);
});

it('says what is wrong with a name that turns the direction of text, and keeps one that runs from right to left', async () => {
  const project = await forge.call('POST', '/projects', { name: 'Campaign \u2067x\u2069' });
  expect([project.status, project.body.errors[0].pointer]).toEqual([400, '/name']);
  const turned = await forge.upload('q', { 'a\u202Egpj.md': '# X' });
  expect(turned).toMatchObject(refused(422, 'invalid_file_name', /direction/));
  expect(await forge.upload('q', { 'דוח\u200F.md': '# X' })).toMatchObject({ status: 201 });
});

it('does not take half a number for a preference', async () => {
  const { headers } = await forge.upload('q', { 'w.md': '# W' }, { prefer: 'wait=10abc' });
  expect(headers).not.toHaveProperty('preference-applied');
});

describe('what never becomes a request', () => {
  const host = 'Host: localhost';
  it.each([
    ['a path that is none', requestText('GET /%ZZ', [host]), 400, 'invalid_request'],
    [
      'headers without end',
      requestText('GET /healthz', [host, `X: ${'x'.repeat(20_000)}`]),
      431,
      'headers_too_large',
    ],
    ['an unknown method', requestText('BREW /coffee', [host]), 400, 'invalid_request'],
    ['a known method that no path has', requestText('PROPFIND /projects', [host]), 405, 'method_not_allowed'],
    ['a method that asks for a type', requestText('QUERY /projects', [host]), 405, 'method_not_allowed'],
    [
      'a method that no path has, with a body that no path takes',
      requestText('PUT /projects', [host, 'Content-Type: text/xml', 'Content-Length: 4'], '<a/>'),
      405,
      'method_not_allowed',
    ],
    [
      'a path that there is not, with a body that is none',
      requestText('POST /no', [host, 'Content-Type: application/json', 'Content-Length: 1'], '{'),
      404,
      'route_not_found',
    ],
    ['no host', requestText('GET /projects', []), 400, 'invalid_request'],
    [
      'two lengths',
      requestText('POST /projects', [host, 'Content-Length: 1', 'Content-Length: 2'], 'x'),
      400,
      'invalid_request',
    ],
    [
      'a length and chunks',
      requestText('POST /projects', [host, 'Content-Length: 1', 'Transfer-Encoding: chunked'], 'x'),
      400,
      'invalid_request',
    ],
    ['no HTTP', 'hello\r\n\r\n', 400, 'invalid_request'],
    ['an expectation', requestText('GET /healthz', [host, 'Expect: tea']), 417, 'expectation_failed'],
  ])('is answered with a problem: %s', async (_, text, status, code) => {
    const answer = await sendRaw(port, text);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.headers['x-request-id']).toMatch(/^[\w.:-]+$/);
    expect(JSON.parse(answer.body)).toMatchObject({
      code,
      status,
      request_id: answer.headers['x-request-id'],
    });
  });

  it('ends no service when its client is gone before it is answered', async () => {
    // nothing of Node's listens to a connection that asks for a tunnel
    const line = new Duplex({
      read: () => {},
      write: (_chunk, _encoding, done) => done(new Error('ECONNRESET')),
    });
    const closed = new Promise((resolve) => line.once('close', resolve));
    forge.app.server.emit('connect', {}, Object.assign(line, { destroySoon: () => {} }), Buffer.alloc(0));
    await closed;
    expect((await sendRaw(port, requestText('GET /healthz', [host]))).status).toBe(200);
  });
});

describe('a parameter of a path', () => {
  const read = (length: number) => forge.call('GET', `/projects/p/pointers/${'0'.repeat(length)}`);

  it('may be as long as the contract says', async () => {
    expect(await read(2_200)).toMatchObject({ status: 404, body: { code: 'pointer_not_found' } });
  });

  it('is named when it is too long', async () => {
    expect(await read(2_201)).toMatchObject({ status: 400, body: { errors: [{ pointer: 'pointer_id' }] } });
    expect(await read(12_000)).toMatchObject({ status: 400, body: { errors: [{ pointer: 'pointer_id' }] } });
  });
});

describe('the contract', () => {
  const operation = (path: string, method: string) =>
    (forge.app.swagger() as unknown as { paths: Record<string, Record<string, { responses: object }>> })
      .paths[path]?.[method]?.responses;

  it('has the refusals of MCP in both of their forms', () => {
    const forms = { 'application/problem+json': {}, 'application/json': {} };
    for (const method of ['get', 'post', 'delete']) {
      expect(operation('/mcp', method)).toMatchObject({ 400: { content: forms }, 404: { content: forms } });
    }
  });

  it('does not promise a type for the bytes of a file', () => {
    expect(operation('/library/files/{name}/content', 'get')).toMatchObject({
      200: { content: { '*/*': {} } },
    });
  });

  it('has what any request is refused with', () => {
    const any = { 400: {}, 408: {}, 421: {}, 431: {}, 500: {} };
    expect(operation('/backup', 'post')).toMatchObject(any);
    expect(operation('/projects', 'get')).toMatchObject(any);
  });
});
