import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { manifestOf, rebuilt, sendArchive, unzip, zipOf } from '../helpers/archive.ts';
import { idle } from '../helpers/idle.ts';

// Archives that nobody made by mistake. Each is refused with what is wrong with it, and nothing of it is stored.

const MAX_UPLOAD = 20_000;
const MAX_IMPORT = 60_000;

let forge: TestApp;
let archive: Buffer;

beforeAll(async () => {
  forge = await startTestApp({
    settings: {
      MAX_UPLOAD_BYTES: String(MAX_UPLOAD),
      MAX_IMPORT_BYTES: String(MAX_IMPORT),
      MAX_FILES_PER_PROJECT: '3',
    },
  });
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  await forge.upload('p', { 'a.md': '# A\n\nThe CFO signs the budget.' });
  await forge.call('POST', '/projects/p/turns', { message: 'Who signs?' });
  // what is made behind the turn is stored by then, too
  await idle(forge);
  archive = (await forge.call('GET', '/projects/p/export')).bytes;
});
afterAll(() => forge.close());

const send = (payload: Buffer | string, options: Parameters<typeof sendArchive>[2] = {}) =>
  sendArchive(forge, payload, { query: '?id=copy', ...options });

/** What is stored of all projects. */
const stored = async () =>
  (
    await forge.db.query(
      `select (select count(*)::int from projects) as projects, (select count(*)::int from files) as files,
         (select count(*)::int from turns) as turns, (select count(*)::int from embedding_cache) as vectors`,
    )
  ).rows[0];

async function refused(
  payload: Buffer,
  status: number,
  code: string,
  detail: RegExp | string,
): Promise<void> {
  const before = await stored();
  const { status: got, body } = await send(payload);
  expect([got, body.code, body.detail]).toEqual([status, code, expect.stringMatching(detail)]);
  expect(await stored()).toEqual(before);
}
const invalid = (payload: Buffer, detail: RegExp | string) =>
  refused(payload, 422, 'archive_invalid', detail);

/** One entry's text as it is in the archive, changed. */
async function changed(name: string, change: (text: string) => string): Promise<Buffer> {
  const text = (await unzip(archive)).get(name)?.toString() ?? '';
  return rebuilt(archive, { [name]: change(text) });
}

/** The archive with bytes put in the place of others of the same length, everywhere. */
function withBytes(before: string, after: string): Buffer {
  const bytes = Buffer.from(archive);
  for (let at = bytes.indexOf(before); at !== -1; at = bytes.indexOf(before, at + 1)) bytes.write(after, at);
  return bytes;
}

describe('an archive that is damaged', () => {
  it('is refused when it is cut off, wherever', async () => {
    for (const share of [0.01, 0.3, 0.7, 0.99]) {
      await invalid(archive.subarray(0, Math.floor(archive.length * share)), /cannot be read as a ZIP/);
    }
    await invalid(Buffer.from('no archive at all'), /cannot be read as a ZIP/);
  });

  it('is refused, or is what it was, with any of its bytes changed', async () => {
    for (let at = 7; at < archive.length; at += Math.ceil(archive.length / 120)) {
      const bytes = Buffer.from(archive);
      bytes[at] = (bytes[at] ?? 0) ^ 0x41;
      const { status, body } = await send(bytes);
      expect([201, 413, 422], `byte ${at}: ${JSON.stringify(body)}`).toContain(status);
      if (status !== 201) continue;
      // a date, say
      const [copy, original] = await Promise.all(
        ['copy', 'p'].map(async (id) => (await forge.call('GET', `/projects/${id}/turns/1/context`)).body),
      );
      expect(copy).toEqual(original);
      await forge.call('DELETE', '/projects/copy');
    }
  });

  it('is refused with the name of the entry that was changed', async () => {
    const entries = await unzip(archive);
    entries.set('originals/1/1/a.md', Buffer.from('# A\n\nThe CEO signs the budget.'));
    await invalid(await zipOf(entries), /"originals\/1\/1\/a\.md" is not what the manifest says/);
    entries.delete('state.json');
    await invalid(await zipOf(entries), /"state\.json" is missing/);
  });

  it('is refused with an entry that the manifest does not name', async () => {
    const entries = await unzip(archive);
    await invalid(await zipOf([...entries, ['more.txt', 'x']]), /"more\.txt" is not in the manifest/);
    await invalid(await rebuilt(archive, { 'turns.jsonl': null }), /"turns\.jsonl" is missing/);
  });

  it('is refused without a manifest, and with one of something else', async () => {
    await invalid(await zipOf([['a.txt', 'x']]), /no manifest\.json/);
    await invalid(await zipOf([['manifest.json', '{']]), /manifest\.json: is not valid JSON/);
    await invalid(await rebuilt(archive, {}, { format: 'other' }), /manifest\.json: format/);
    await invalid(
      await rebuilt(archive, {}, { counts: { ...manifestOf(await unzip(archive)).counts, turns: 9 } }),
      /9 turns/,
    );
  });
});

it('refuses a later format, and says what to do', async () => {
  const newer = await rebuilt(
    archive,
    {},
    { format_version: 2, forge_version: '9.1.0', counts: 'of another shape' },
  );
  await refused(newer, 422, 'archive_too_new', /format version 2, written by Forge 9\.1\.0.*Import it into/);
});

describe('an archive that is made to do harm', () => {
  it('has no names that lead out of it', async () => {
    const bad = [
      '../../../etc/x.md',
      '/etc/xxxxxxxxxx.md',
      'C:/xxxxxxxxxxxx.md',
      'a/../../xxxxxx.md',
      '..\\xxxxxxxxxxxxxx.md',
    ];
    for (const name of bad)
      await invalid(
        withBytes('originals/1/1/a.md', name.padEnd(18, 'x').slice(0, 18)),
        /absolute path|invalid relative path|invalid characters/,
      );
  });

  it('has no links, no passwords, and no two entries of one name', async () => {
    const entries = await unzip(archive);
    await invalid(await zipOf([...entries, ['link', '/etc/passwd']], { mode: 0o120777 }), /is a link/);
    await invalid(await zipOf([...entries, ['state.json', '{}']]), /"state\.json" is in the archive twice/);
    const encrypted = Buffer.from(archive);
    const directory = encrypted.indexOf('PK\x01\x02', 0, 'latin1');
    encrypted.writeUInt16LE(encrypted.readUInt16LE(directory + 8) | 1, directory + 8);
    await invalid(encrypted, /is encrypted/);
  });

  it('unpacks to no more than it may, by what it says and by what comes', async () => {
    const bomb = await rebuilt(archive, { 'zeros.bin': Buffer.alloc(11 * MAX_IMPORT) });
    expect(bomb.length).toBeLessThan(MAX_IMPORT);
    await refused(bomb, 413, 'archive_too_large', /unpacks to more than/);
    // the directory says less than there is
    const lying = Buffer.from(bomb);
    lying.writeUInt32LE(10, lying.lastIndexOf('zeros.bin', -1, 'latin1') - 46 + 24);
    await invalid(lying, /"zeros\.bin" cannot be unpacked: too many bytes/);
  });

  it('is no larger than the limit', async () => {
    await refused(Buffer.alloc(MAX_IMPORT + 1), 413, 'archive_too_large', /limit of 60000 bytes/);
    const { headers } = await send(Buffer.alloc(2 * 1024 * 1024));
    expect(headers.connection).toBe('close');
  });
});

describe('an archive whose entries are not what they are to be', () => {
  it('is refused by entry and line', async () => {
    const cases: [string, (text: string) => string, RegExp][] = [
      ['state.json', () => '{', /^state\.json: is not valid JSON/],
      [
        'state.json',
        (text) => text.replace('"schema_version": 1', '"schema_version": 99'),
        /^state\.json is no state.*newer/,
      ],
      [
        'state.json',
        (text) => text.replace('"org_context": ""', '"org_context": 7'),
        /^state\.json is no state/,
      ],
      [
        'state.json',
        (text) => text.replace('"assumptions": []', `"assumptions": [${assumption('a2')}]`),
        /^state\.json is no state/,
      ],
      ['project.json', (text) => text.replace('"name": "P"', '"name": 7'), /^project\.json: name/],
      ['usage.json', () => '{}', /^usage\.json/],
      ['turns.jsonl', (text) => `${text}{"turn_number":1}\n`, /^turns\.jsonl, line 2/],
      ['turns.jsonl', (text) => text + text, /^turns\.jsonl, line 2: turn 1 comes after 1/],
      [
        'turns.jsonl',
        (text) => text.replace('"turn_number":1', '"turn_number":99999999999'),
        /^turns\.jsonl, line 1: turn_number/,
      ],
      [
        'turns.jsonl',
        (text) => text.replace('"status":"completed"', '"status":"in_progress"'),
        /^turns\.jsonl, line 1: status/,
      ],
      ['turns.jsonl', () => 'null\n', /^turns\.jsonl, line 1/],
      [
        'turn_events.jsonl',
        (text) => text.replace('"turn_number":1', '"turn_number":2'),
        /^turn_events\.jsonl, line 1: there is no turn 2/,
      ],
      [
        'turn_events.jsonl',
        (text) => text.replace('turn.created', 'turn.invented'),
        /^turn_events\.jsonl, line 1/,
      ],
      [
        'vectors.jsonl',
        (text) => text.replace(/"vector":"[^"]*"/, '"vector":"AAAA"'),
        /^vectors\.jsonl, line 1: is no vector/,
      ],
      ['files.jsonl', (text) => text.replace('"name":"a.md"', '"name":"../a.md"'), /is no name of a file/],
      ['files.jsonl', (text) => text + text, /^files\.jsonl, line 2: there is another file "a\.md"/],
      [
        'files.jsonl',
        (text) => text.replace('"versions":[', '"versions":[null,'),
        /^files\.jsonl, line 1: versions\.0/,
      ],
      [
        'files.jsonl',
        (text) => text.replace('"searchable_version":1', '"searchable_version":4'),
        /searchable version is missing/,
      ],
      [
        'files.jsonl',
        (text) => text.replace('originals/1/1/a.md', 'originals/1/1/b.md'),
        /is not the original of version 1/,
      ],
      ['files.jsonl', (text) => text.replace(/"uploaded_at":"\d{4}/, '"uploaded_at":"0000'), /uploaded_at/],
      ['leaf_contexts.jsonl', () => context(1, 'a') + context(2, 'a'), /, line 2: there is no file 2/],
      ['leaf_contexts.jsonl', () => context(0, 'a'), /^leaf_contexts\.jsonl, line 1: file/],
      ['leaf_contexts.jsonl', () => context(1.5, 'a'), /^leaf_contexts\.jsonl, line 1: file/],
      [
        'leaf_contexts.jsonl',
        () => context(1, 'a') + context(1, 'b') + context(1, 'b'),
        /^leaf_contexts\.jsonl, line 3: is out of order, or there twice/,
      ],
      ['leaf_contexts.jsonl', () => context(1, 'b') + context(1, 'a'), /, line 2: is out of order/],
    ];
    for (const [name, change, detail] of cases) await invalid(await changed(name, change), detail);
    await invalid(
      await rebuilt(archive, { 'turns.jsonl': Buffer.from([0xff, 0xfe, 0x0a]) }),
      /not text in UTF-8/,
    );
  });

  it('is refused when it has more than this service takes', async () => {
    const files = (await unzip(archive)).get('files.jsonl')?.toString() ?? '';
    const four = [1, 2, 3, 4].map((n) => files.replace('"name":"a.md"', `"name":"${n}.md"`)).join('');
    await refused(
      await rebuilt(archive, { 'files.jsonl': four }),
      422,
      'too_many_files',
      /more files than the 3/,
    );
    const large = Buffer.alloc(MAX_UPLOAD + 1, 'x');
    const sha256 = createHash('sha256').update(large).digest('hex');
    const line = files
      .replace(/"bytes":\d+/, `"bytes":${large.length}`)
      .replace(/"sha256":"\w+"/, `"sha256":"${sha256}"`);
    const rebuiltLarge = await rebuilt(archive, { 'files.jsonl': line, 'originals/1/1/a.md': large });
    await refused(rebuiltLarge, 413, 'archive_too_large', /may have 20000 here/);
  });
});

/** A line, of a leaf whose hash has this digit alone. */
const context = (file: number, digit: string) =>
  `${JSON.stringify({ file, hash: digit.repeat(64), context: 'Of a harbour.', model: 'm' })}\n`;

const assumption = (on: string) =>
  JSON.stringify({
    id: 'a1',
    statement: 'x',
    confidence: 'guessed',
    impact: 'low',
    status: 'active',
    depends_on: [on],
    source_turn: null,
    evidence: [],
  });
