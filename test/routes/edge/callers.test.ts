import { expect, it } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { type CallerRules, checkCaller } from '../../../src/routes/edge/callers.ts';

interface Head {
  method?: string;
  url?: string;
  host?: string | string[];
  origin?: string;
  site?: string;
}

/** What is said to a request with this head: the code of a refusal, or the foreign origin that may call. */
function said({ method = 'GET', url = '/', host, origin, site }: Head, rules: Partial<CallerRules> = {}) {
  const hosts = [host ?? []].flat();
  const request = {
    method,
    url,
    headers: {
      ...(hosts[0] !== undefined && { host: hosts[0] }),
      ...(origin !== undefined && { origin }),
      ...(site !== undefined && { 'sec-fetch-site': site }),
    },
    rawHeaders: hosts.flatMap((each) => ['Host', each]),
  };
  try {
    return checkCaller(request, { hosts: [], origins: null, ...rules }, false).foreignOrigin;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

it.each<[string | string[] | undefined, string | null]>([
  ['localhost:3000', null],
  ['LOCALHOST', null],
  ['localhost.', null],
  ['127.0.0.1:1', null],
  ['[::1]:3000', null],
  ['10.1.2.3:3000', null],
  ['[fd00::7]', null],
  ['forge.example:8080', null],
  [undefined, 'invalid_request'],
  ['', 'invalid_request'],
  ['forge.example.evil.example', 'host_not_allowed'],
  ['localhost.evil.example', 'host_not_allowed'],
  ['10.1.2.3.evil.example', 'host_not_allowed'],
  ['localhost@evil.example', 'invalid_request'],
  ['evil.example/@localhost', 'invalid_request'],
  ['localhost:x', 'invalid_request'],
  [['localhost', 'evil.example'], 'invalid_request'],
  [['localhost', 'localhost'], 'invalid_request'],
])('knows the names that the service goes by: %j', (host, outcome) => {
  expect(said({ ...(host !== undefined && { host }) }, { hosts: ['Forge.example'] })).toBe(outcome);
});

it('takes the host of an absolute target before that of the header', () => {
  expect(said({ url: 'http://evil.example/projects', host: 'localhost' })).toBe('host_not_allowed');
  expect(said({ url: 'http://localhost:3000/projects', host: 'localhost' })).toBeNull();
});

it('answers to any name when it is told so', () => {
  expect(said({ host: 'whatever.example' }, { hosts: ['*'] })).toBeNull();
});

const hosts = ['forge.example'];

it.each<[Head, Partial<CallerRules>, string | null]>([
  // pages of the service itself
  [{ host: 'localhost:3000', origin: 'http://localhost:3000' }, {}, null],
  [{ host: 'forge.example', origin: 'https://forge.example' }, { hosts }, null],
  [{ host: 'forge.example:443', origin: 'https://forge.example' }, { hosts }, null],
  // pages of this machine
  [{ host: 'localhost:3000', origin: 'http://localhost:5173' }, {}, 'http://localhost:5173'],
  [{ host: '127.0.0.1', origin: 'http://[::1]:1' }, {}, 'http://[::1]:1'],
  // others
  [{ host: 'localhost', origin: 'http://evil.example' }, {}, 'origin_not_allowed'],
  [{ host: 'localhost', origin: 'http://localhost.evil.example' }, {}, 'origin_not_allowed'],
  [{ host: 'localhost', origin: 'http://6.6.6.6' }, {}, 'origin_not_allowed'],
  [{ host: 'forge.example', origin: 'https://forge.example:8443' }, { hosts }, 'origin_not_allowed'],
  [{ host: 'localhost', origin: 'null' }, {}, 'origin_not_allowed'],
  [{ method: 'POST', host: 'localhost', origin: 'null' }, {}, 'origin_not_allowed'],
  [{ host: 'localhost', origin: 'chrome-extension://localhost' }, {}, 'origin_not_allowed'],
])('knows the pages that may call: %j %j', (head, rules, outcome) => {
  expect(said(head, rules)).toBe(outcome);
});

it('lets those call that are named, and nobody else', () => {
  const rules = { origins: ['https://app.example', 'vscode-webview://x'] };
  const from = (origin: string) => said({ method: 'POST', host: 'localhost', origin }, rules);
  expect(from('https://app.example')).toBe('https://app.example');
  expect(from('vscode-webview://x')).toBe('vscode-webview://x');
  expect(from('http://app.example')).toBe('origin_not_allowed');
  expect(from('http://localhost:5173')).toBe('origin_not_allowed');
  expect(from('http://localhost')).toBeNull();
});

it('believes a browser that says no more than that another site is asking', () => {
  const post = { method: 'POST', host: 'localhost' };
  expect(said({ ...post, site: 'cross-site' })).toBe('origin_not_allowed');
  expect(said({ ...post, site: 'cross-site' }, { origins: ['*'] })).toBeNull();
  expect(said({ ...post, site: 'none' })).toBeNull();
  expect(said({ ...post, site: 'cross-site', origin: 'http://localhost:5173' })).toBe(
    'http://localhost:5173',
  );
  // a link on another page
  expect(said({ host: 'localhost', site: 'cross-site' })).toBeNull();
});
