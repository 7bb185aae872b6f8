import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { portOf, requestText, sendRaw } from '../helpers/raw-http.ts';

let forge: TestApp;
let port: number;
beforeAll(async () => {
  forge = await startTestApp({
    settings: { ALLOWED_HOSTS: 'forge.example', CORS_ORIGINS: 'https://app.example' },
  });
  await forge.app.listen({ host: '127.0.0.1', port: 0 });
  port = portOf(forge.app);
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
});
afterAll(() => forge.close());

const send = (line: string, ...headers: string[]) => sendRaw(port, requestText(line, headers));
const problem = (status: number, code: string) => ({
  status,
  headers: {
    'content-type': 'application/problem+json; charset=utf-8',
    'x-request-id': expect.any(String),
    vary: expect.stringContaining('Origin'),
  },
  body: expect.stringContaining(`"code":"${code}"`),
});

describe('a request under a name that the service does not go by', () => {
  it.each(['GET /projects', 'DELETE /projects/p', 'GET /openapi.json', 'GET /none', 'OPTIONS /projects'])(
    'is refused before anything is read: %s',
    async (line) => {
      expect(await send(line, 'Host: rebound.example')).toMatchObject(problem(421, 'host_not_allowed'));
      expect((await forge.call('GET', '/projects/p')).status).toBe(200);
    },
  );

  it('is answered where it is a probe', async () => {
    for (const path of ['/healthz', '/readyz'])
      expect(await send(`GET ${path}`, 'Host: probe.internal')).toMatchObject({ status: 200 });
  });

  it('is broken when it names two', async () => {
    const answer = await send('GET /projects', 'Host: localhost', 'Host: rebound.example');
    expect(answer).toMatchObject(problem(400, 'invalid_request'));
  });
});

describe('a page of another site', () => {
  it('neither reads nor changes anything', async () => {
    for (const line of ['GET /projects', 'DELETE /projects/p', 'OPTIONS /projects/p']) {
      const answer = await send(line, 'Host: localhost', 'Origin: https://evil.example');
      expect(answer).toMatchObject(problem(403, 'origin_not_allowed'));
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    }
    expect((await forge.call('GET', '/projects/p')).status).toBe(200);
  });

  it('uploads nothing with a form, whether its browser tells its name or not', async () => {
    for (const headers of [{ origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]) {
      const { status, body } = await forge.upload('p', { 'a.md': '# A' }, headers);
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'origin_not_allowed' });
    }
    expect((await forge.call('GET', '/projects/p/files')).body.data).toEqual([]);
  });

  it('does not reach /mcp', async () => {
    const answer = await send('POST /mcp', 'Host: localhost', 'Origin: https://evil.example');
    expect(answer).toMatchObject(problem(403, 'origin_not_allowed'));
  });
});

describe('a page that may call', () => {
  const origin = 'https://app.example';

  it('reads the answers and their headers, refusals too', async () => {
    for (const url of ['/projects/p', '/projects/none']) {
      const { headers } = await forge.call('GET', url, undefined, { origin });
      expect(headers['access-control-allow-origin']).toBe(origin);
      expect(headers['access-control-expose-headers']).toContain('X-Request-Id');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
      expect(headers.vary).toBe('Origin');
    }
  });

  it('is told ahead what it may send', async () => {
    const { statusCode, headers } = await forge.app.inject({
      method: 'OPTIONS',
      url: '/projects/p/files',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,idempotency-key',
      },
    });
    expect(statusCode).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'authorization,idempotency-key',
      'access-control-max-age': '7200',
      vary: 'Origin, Access-Control-Request-Headers',
    });
  });

  it('is none of the others', async () => {
    const local = await forge.call('GET', '/projects/p', undefined, { origin: 'http://localhost:5173' });
    expect(local.status).toBe(403);
    const none = await forge.call('GET', '/projects/p');
    expect(none.headers).not.toHaveProperty('access-control-allow-origin');
    expect(none.headers.vary).toBe('Origin');
  });
});

describe('a method that a path has not', () => {
  it.each([
    ['PUT', '/projects', 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/projects/p/files/a%20b.md', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['GET', '/projects/p/files:retry', 'OPTIONS, POST'],
  ])('%s %s is answered with those that there are', async (method, url, allow) => {
    const { statusCode, headers, body } = await forge.app.inject({ method: method as 'GET', url });
    expect(statusCode).toBe(405);
    expect(headers.allow).toBe(allow);
    expect(JSON.parse(body)).toMatchObject({ code: 'method_not_allowed', status: 405 });
  });

  it('OPTIONS tells them without a body', async () => {
    const { statusCode, headers, body } = await forge.app.inject({ method: 'OPTIONS', url: '/projects/p' });
    expect({ statusCode, body, allow: headers.allow }).toEqual({
      statusCode: 204,
      body: '',
      allow: 'DELETE, GET, HEAD, OPTIONS, PATCH',
    });
    expect((await forge.app.inject({ method: 'OPTIONS', url: '/none' })).statusCode).toBe(404);
  });
});
