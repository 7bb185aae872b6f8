import type { Random } from '../helpers/random.ts';

const NAMES = [
  'a.md',
  '',
  '.',
  '..',
  '../../etc/passwd',
  'C:\\temp\\a.md',
  'a\\"b.md',
  '\u202egpj.md',
  'NUL',
  '%00.md',
  '__proto__',
  'x'.repeat(300),
  '💥'.repeat(80),
  '=?utf-8?q?a?=.md',
  'a.md;b',
];
const FIELDS = [
  'file',
  'files',
  'chunking',
  'metadata',
  '',
  '__proto__',
  'constructor',
  'file[]',
  'x'.repeat(500),
];
const TYPES = [
  'application/octet-stream',
  'text/markdown',
  'multipart/mixed; boundary=b',
  'nonsense',
  '/',
  'text/plain; charset=utf-7',
];
const CONTENTS = [
  '# A\n\nText.',
  '',
  '{',
  '\u0000\u0001',
  '--b',
  '--b--',
  '\r\n--b\r\n',
  'x'.repeat(70_000),
  '%PDF-1.7',
  'PK\u0003\u0004',
];

function disposition(random: Random): string {
  const name = `name="${random.pick(FIELDS)}"`;
  const file = random.pick([
    `filename="${random.pick(NAMES)}"`,
    `filename=${random.pick(NAMES)}`,
    `filename*=UTF-8''${encodeURIComponent(random.pick(NAMES))}`,
    `filename*=utf-16''%ff%fe`,
    `filename="a.md"; filename="b.md"`,
    '',
  ]);
  return random
    .pick(['form-data', 'form-data', 'form-data', 'attachment', '', 'form-data;;'])
    .concat('; ', name, '; ', file);
}

function part(random: Random, depth = 0): string {
  const headers = [
    `Content-Disposition: ${disposition(random)}`,
    ...(random.chance(0.5) ? [`Content-Type: ${random.pick(TYPES)}`] : []),
    ...(random.chance(0.1) ? ['Content-Transfer-Encoding: base64'] : []),
    ...(random.chance(0.05) ? [`X: ${'x'.repeat(100_000)}`] : []),
    ...(random.chance(0.05) ? ['no header'] : []),
  ];
  const content =
    depth === 0 && random.chance(0.1) ? `--b\r\n${part(random, 1)}\r\n--b--\r\n` : random.pick(CONTENTS);
  const head = random.chance(0.05) ? '' : headers.join(random.chance(0.05) ? '\n' : '\r\n');
  return `${head}\r\n${random.chance(0.05) ? '' : '\r\n'}${content}`;
}

/** A body of parts, as no browser sends it: its type, and its text. */
export function multipart(random: Random): { type: string; body: string } {
  const boundary = random.pick([
    'b',
    'b',
    'b',
    'b',
    '"b"',
    '',
    'b'.repeat(200),
    'b b',
    'other',
    "'()+_,-./:=?",
  ]);
  const count = random.pick([0, 1, 1, 2, 3, 60]);
  const parts = Array.from({ length: count }, () => `--b\r\n${part(random)}\r\n`);
  const end = random.pick([
    '--b--\r\n',
    '--b--\r\n',
    '--b--\r\n',
    '',
    '--b',
    '--b-',
    '--b--',
    '--b--\r\nmore',
  ]);
  const type = random.pick([
    `multipart/form-data; boundary=${boundary}`,
    `multipart/form-data; boundary=${boundary}`,
    `multipart/form-data; boundary=${boundary}; boundary=c`,
    'multipart/form-data',
    `Multipart/Form-Data;BOUNDARY=${boundary}`,
    `multipart/mixed; boundary=${boundary}`,
  ]);
  return { type, body: parts.join('') + end };
}
