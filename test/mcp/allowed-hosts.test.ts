import { expect, it } from 'vitest';
import { hostProblem } from '../../src/mcp/allowed-hosts.ts';

it.each<[Record<string, string>, boolean]>([
  [{ host: 'localhost:3000' }, true],
  [{ host: 'LOCALHOST' }, true],
  [{ host: '127.0.0.1:1' }, true],
  [{ host: '[::1]:3000' }, true],
  [{ host: 'forge.example:8080' }, true],
  [{ host: 'localhost', origin: 'https://forge.example' }, true],
  [{}, false],
  [{ host: 'localhost.evil.example' }, false],
  [{ host: 'localhost@evil.example' }, false],
  [{ host: 'localhost', origin: 'null' }, false],
  [{ host: 'localhost', origin: 'http://evil.example' }, false],
])('knows the names that it may be addressed by: %j', (headers, isAllowed) => {
  expect(hostProblem(new Headers(headers), ['Forge.example']) === null).toBe(isAllowed);
});
