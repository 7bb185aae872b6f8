import type { Random } from '../helpers/random.ts';
import { multipart } from './multipart.ts';

/** An operation of the contract: its method, and its path with `{parameters}`. */
export interface Operation {
  method: string;
  path: string;
}

const HOSTILE = [
  '..',
  '%2e%2e',
  '%00',
  '%ff',
  '%',
  'a%2fb',
  '__proto__',
  'x'.repeat(3_000),
  '%F0%9F%92%A5',
  "';--",
  '',
  '*',
  '-1',
];
const GOOD: Record<string, string> = {
  project_id: 'campaign-roi-analysis',
  name: 'report.md',
  n: '1',
  mode: 'discovery',
};

function pathOf(random: Random, { path }: Operation): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    random.chance(0.2) ? random.pick(HOSTILE) : (GOOD[name] ?? 'x'),
  );
  if (random.chance(0.8)) return filled;
  const value = random.pick([...HOSTILE, '9'.repeat(40), 'NaN', '%22', '1&limit=2']);
  return `${filled}?${random.pick(['limit', 'after', 'wait', 'version', 'x', 'a[b]', '__proto__'])}=${value}`;
}

function target(random: Random, operation: Operation): string {
  const path = pathOf(random, operation);
  return random.chance(0.9)
    ? path
    : random.pick([
        `http://127.0.0.1${path}`,
        `http://elsewhere.example${path}`,
        `//${path}`,
        '*',
        '127.0.0.1:443',
        `${path}#fragment`,
        path.replace('/', '/\u0001'),
        `${path} extra`,
        `\\${path}`,
        '',
        `/${'a/'.repeat(5_000)}`,
        '/\xff\xfe',
      ]);
}

const METHODS = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'QUERY',
  'PROPFIND',
  'CONNECT',
  'BREW',
  'get',
  '',
];
const VERSIONS = ['HTTP/1.0', 'HTTP/2.0', 'HTTP/1.1.1', 'http/1.1', 'HTTP/9', ''];

function requestLine(random: Random, operation: Operation): string {
  const method = random.chance(0.85) ? operation.method : random.pick(METHODS);
  const version = random.chance(0.95) ? 'HTTP/1.1' : random.pick(VERSIONS);
  return `${method} ${target(random, operation)} ${version}`;
}

const ODD_HEADERS: readonly ((random: Random) => string)[] = [
  () => 'Host: elsewhere.example',
  () => 'Host: 127.0.0.1',
  () => 'Host: [::1',
  () => `X: ${'x'.repeat(20_000)}`,
  () => Array.from({ length: 2_500 }, (_, i) => `X${i}: y`).join('\r\n'),
  () => 'X: a\u0000b',
  () => 'X: a\r\n b',
  () => 'X : y',
  () => ': y',
  () => 'nothing',
  () => 'X: a\nY: b',
  () => 'X: \xe4\xf6',
  (random) =>
    `Content-Length: ${random.pick(['-1', '1e3', '0x10', '99999999999999999999', '5, 5', ' ', '+3'])}`,
  (random) =>
    `Transfer-Encoding: ${random.pick(['gzip', 'chunked, chunked', 'identity', 'chunked;q=1', 'xchunked'])}`,
  (random) => `Expect: ${random.pick(['100-continue', '200-ok', ''])}`,
  (random) => `Connection: Upgrade\r\nUpgrade: ${random.pick(['websocket', 'h2c', 'TLS/1.0'])}`,
  (random) => `Connection: ${random.pick(['close', 'keep-alive, close', 'Host', ','])}`,
  (random) =>
    `Range: ${random.pick(['bytes=0-0', 'bytes=5-1', 'bytes=-', 'bytes=0-0,2-3', 'bytes=99999999999999999999-', 'lines=1-2'])}`,
  (random) => `If-None-Match: ${random.pick(['*', '"', 'W/"a"', `"${'a'.repeat(5_000)}"`, '"a", "b"'])}`,
  (random) => `If-Match: ${random.pick(['*', '"', 'a', '""'])}`,
  (random) =>
    `Accept: ${random.pick(['text/event-stream', 'image/png', '*/*;q=0', ',', 'application/json;'])}`,
  (random) =>
    `Content-Type: ${random.pick(['application/json; charset=utf-16', 'text/xml', ';', 'application/jsonl', 'application/zip'])}`,
  (random) => `Content-Encoding: ${random.pick(['gzip', 'identity', 'br, gzip', ''])}`,
  (random) => `Idempotency-Key: ${random.pick(['a', 'x'.repeat(300), '\xff', '"a"', ''])}`,
  (random) => `X-Request-Id: ${random.pick(['a', '"><script>', 'x'.repeat(200), ''])}`,
  (random) =>
    `Prefer: ${random.pick(['respond-async', 'wait=0', 'wait=-1', 'wait=99999999999', 'wait=a, respond-async', '='])}`,
  (random) => `Last-Event-ID: ${random.pick(['0', '-1', '9'.repeat(30), 'a', '1.5'])}`,
  (random) =>
    `Authorization: ${random.pick(['Bearer x', 'Bearer', 'Basic Og==', `Bearer ${'x'.repeat(600)}`, 'bearer  \xff'])}`,
  (random) => `Mcp-Session-Id: ${random.pick(['a', '\xff', ''])}`,
  (random) => `Origin: ${random.pick(['null', 'https://elsewhere.example', 'http://localhost', 'http://['])}`,
  (random) => `Access-Control-Request-Method: ${random.pick(['GET', '', 'BREW'])}`,
];

const JSONS = [
  '{}',
  '[]',
  'null',
  '{',
  '"',
  '{"message":"hello"}',
  '{"query":"budget","limit":1e400}',
  '{"name":"\\ud800"}',
  '{"name":"a","name":"b","__proto__":{"x":1}}',
  '\ufeff{"name":"x"}',
  '{"name":"\xff\xfe"}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `{"query":"${'x'.repeat(50_000)}"}`,
  `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`,
  '{"jsonrpc":"2.0","id":{},"method":7}',
  '[{"jsonrpc":"2.0"}]',
];

/** The body in chunks, as they should be or not. */
function chunked(random: Random, body: string): string {
  const bytes = Buffer.from(body, 'latin1').length;
  return random.pick([
    `${bytes.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    `${bytes.toString(16)};a="b"\r\n${body}\r\n0\r\nX-Trailer: y\r\n\r\n`,
    `${(bytes + 5).toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    `${bytes.toString(16)}\r\n${body}\r\n`,
    `-1\r\n${body}\r\n0\r\n\r\n`,
    `ffffffffffffffffff\r\n${body}`,
    `zz\r\n${body}`,
    `${bytes.toString(16)}\n${body}\n0\n\n`,
    `${bytes.toString(16)};${'a'.repeat(20_000)}\r\n${body}\r\n0\r\n\r\n`,
    `0\r\n${'X: y\r\n'.repeat(3_000)}\r\n`,
  ]);
}

function request(random: Random, operations: readonly Operation[]): string {
  const operation = random.pick(operations);
  const headers = ['Host: 127.0.0.1'];
  let body = '';
  if (operation.method !== 'GET' && random.chance(0.9)) {
    const isParts = operation.path.endsWith('files') || random.chance(0.2);
    const made = isParts ? multipart(random) : { type: 'application/json', body: random.pick(JSONS) };
    body = made.body;
    headers.push(`Content-Type: ${made.type}`);
    const length = Buffer.from(body, 'latin1').length;
    if (random.chance(0.25)) {
      body = chunked(random, body);
      headers.push('Transfer-Encoding: chunked');
    } else headers.push(`Content-Length: ${random.chance(0.9) ? length : length + random.below(9) - 4}`);
  }
  while (random.chance(0.4))
    headers.splice(random.below(headers.length + 1), 0, random.pick(ODD_HEADERS)(random));
  const line = random.chance(0.97) ? '\r\n' : '\n';
  return [requestLine(random, operation), ...headers, '', body].join(line);
}

/** Some bytes changed, put in, left out or said twice. */
function damage(random: Random, bytes: Buffer): Buffer {
  const at = random.below(bytes.length + 1);
  const to = Math.min(bytes.length, at + random.below(40));
  const [before, between, after] = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)];
  return random.pick([
    () => Buffer.concat([before, random.bytes(between.length), after]),
    () => Buffer.concat([before, random.bytes(random.below(20)), between, after]),
    () => Buffer.concat([before, after]),
    () => Buffer.concat([before, between, between, after]),
    () => before,
  ])();
}

/** What a hostile client sends on a connection: one request or several, not all of them whole. */
export function hostileBytes(random: Random, operations: readonly Operation[]): Buffer {
  const count = random.chance(0.85) ? 1 : 2 + random.below(8);
  const text = Array.from({ length: count }, () => request(random, operations)).join('');
  const bytes = Buffer.from(text, 'latin1');
  return random.chance(0.25) ? damage(random, bytes) : bytes;
}
