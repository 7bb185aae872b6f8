import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startTestApp } from '../helpers/app.ts';

const files = readdirSync('inspect');
const pathOf = (name: string) => (name === 'index.html' ? '/inspect' : `/inspect/${name}`);

it('serves every file to anybody, with a policy under which nothing foreign runs', async () => {
  const { call, close } = await startTestApp({ settings: { HOST: '0.0.0.0' } });
  try {
    expect((await call('GET', '/projects')).status).toBe(401);
    for (const name of files) {
      const { status, headers, text } = await call('GET', pathOf(name));
      expect([name, status, text]).toEqual([name, 200, readFileSync(`inspect/${name}`, 'utf8')]);
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-cache',
      });
      const again = await call('GET', pathOf(name), undefined, { 'if-none-match': String(headers.etag) });
      expect([again.status, again.text]).toEqual([304, '']);
    }
    const types = await Promise.all(
      ['/inspect/', '/inspect/main.js', '/inspect/page.css'].map(async (path) => {
        const { headers } = await call('GET', path);
        return headers['content-type'];
      }),
    );
    expect(types).toEqual([
      'text/html; charset=utf-8',
      'text/javascript; charset=utf-8',
      'text/css; charset=utf-8',
    ]);
    expect((await call('GET', '/inspect/..%2fpackage.json')).status).toBe(404);
    expect((await call('POST', '/inspect', {})).status).toBe(405);
  } finally {
    await close();
  }
});

it('is not there when it is switched off', async () => {
  const { call, close } = await startTestApp({ settings: { INSPECT: 'off' } });
  try {
    for (const path of ['/inspect', '/inspect/main.js']) expect((await call('GET', path)).status).toBe(404);
  } finally {
    await close();
  }
});

it.each(files)('%s names nothing outside the service, and makes no markup of data', (name) => {
  const text = readFileSync(`inspect/${name}`, 'utf8').replace('http://www.w3.org/2000/svg', '');
  expect(text).not.toMatch(/(https?:)?\/\/[a-z0-9-]+\.|@import|url\(["']?(?!#)/i);
  expect(text).not.toMatch(
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc|\beval\b|Function\(/,
  );
});
