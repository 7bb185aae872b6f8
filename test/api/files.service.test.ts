import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { searchAnswerSchema } from '../../src/contract/passage.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeDocx, makeEmptyDocx } from '../helpers/docx.ts';

const MARKDOWN = `# Notes

Kick-off with the pricing team.

## Budget

The budget is 40,000 euros until March, ticket FIN-2291.

## People

Dana decides; Ilya is against it.
`;

let forge: TestApp;
let project: string;
let count = 0;
beforeAll(async () => {
  forge = await startTestApp({ settings: { MAX_UPLOAD_BYTES: '100000', MAX_FILES_PER_PROJECT: '5' } });
});
afterAll(() => forge.close());
beforeEach(async () => {
  project = `files-${++count}`;
  await forge.call('POST', '/projects', { id: project, name: 'Files' });
});

const url = (name = '') => `/projects/${project}/files${name && `/${encodeURIComponent(name)}`}`;
const names = async (query = '') =>
  (await forge.call('GET', `${url()}${query}`)).body.data.map((file: { name: string }) => file.name);
const search = async (query: string) =>
  (await forge.call('POST', `/projects/${project}/search`, { query })).body.data as {
    filename: string;
    header_path: string[];
    text: string;
  }[];

describe('an upload', () => {
  it('of Markdown is searchable when it is answered', async () => {
    const { status, body, headers } = await forge.upload(project, { 'notes.md': MARKDOWN });
    expect(status).toBe(201);
    expect(headers.location).toBe(url('notes.md'));
    expect(body).toMatchObject({
      object: 'file',
      name: 'notes.md',
      media_type: 'text/markdown',
      bytes: Buffer.byteLength(MARKDOWN),
      status: 'completed',
      stage: null,
      version: 1,
      searchable_version: 1,
      last_error: null,
      summary_status: 'completed',
    });
    expect(body.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(body.summary.length).toBeGreaterThan(10);
    expect((await forge.call('GET', url('notes.md'))).body).toEqual(body);
    const [hit] = await search('FIN-2291');
    expect(hit?.text).toContain('40,000 euros');
  });

  it('is found with nothing that the contract does not describe', async () => {
    await forge.upload(project, { 'notes.md': MARKDOWN });
    const query = { query: 'FIN-2291', kinds: ['documents', 'turns'], explain: true };
    const { body } = await forge.call('POST', `/projects/${project}/search`, query);
    expect(body.data[0].matched_leaves).not.toEqual([]);
    expect(searchAnswerSchema.parse(body)).toEqual(body);
  });

  it('of Word becomes Markdown with its headings and tables', async () => {
    const bytes = await makeDocx();
    const { status, body } = await forge.upload(project, { 'study.docx': bytes });
    expect(status).toBe(201);
    expect(body.fidelity.score).toBe(1);
    const markdown = await forge.call('GET', `${url('study.docx')}/markdown`);
    expect(markdown.headers['content-type']).toContain('text/markdown');
    expect(markdown.text).toContain('## Enterprise');
    expect(markdown.text).toMatch(/\| Enterprise \| 4\.1 % \|/);
    const original = await forge.call('GET', `${url('study.docx')}/content`);
    expect(original.bytes.equals(bytes)).toBe(true);
    expect(original.headers['content-disposition']).toContain('study.docx');
    const [hit] = await search('how long does enterprise onboarding take?');
    expect(hit?.header_path.at(-1)).toBe('Enterprise');
  });

  it('gives leaves with exact ranges', async () => {
    await forge.upload(project, { 'notes.md': MARKDOWN });
    const { text } = await forge.call('GET', `${url('notes.md')}/markdown`);
    const { body } = await forge.call('GET', `${url('notes.md')}/leaves`);
    expect(body.data.length).toBeGreaterThan(0);
    for (const leaf of body.data) expect(leaf.text).toBe(text.slice(leaf.char_start, leaf.char_end));
  });

  it('shows in the state of the project', async () => {
    await forge.upload(project, { 'notes.md': MARKDOWN });
    const { body } = await forge.call('GET', `/projects/${project}/state`);
    expect(body.file_summaries).toEqual([
      expect.objectContaining({
        filename: 'notes.md',
        chunk_count: expect.any(Number),
        summary: expect.any(String),
      }),
    ]);
  });

  it('is answered at once when that is preferred, and goes on by itself', async () => {
    const { status, body, headers } = await forge.upload(
      project,
      { 'notes.md': MARKDOWN },
      { prefer: 'respond-async' },
    );
    expect(status).toBe(202);
    expect(headers['preference-applied']).toBe('respond-async');
    expect(['queued', 'in_progress']).toContain(body.status);
    await expect.poll(async () => (await forge.call('GET', url('notes.md'))).body.status).toBe('completed');
  });

  it('of several files gives each its verdict', async () => {
    const { status, body } = await forge.upload(project, {
      'good.md': MARKDOWN,
      'bad.exe': 'MZ',
      'empty.md': '',
    });
    expect(status).toBe(207);
    expect(body.data.map((entry: { name: string; status: number }) => [entry.name, entry.status])).toEqual([
      ['good.md', 201],
      ['bad.exe', 415],
      ['empty.md', 422],
    ]);
    expect(body.data[1].problem).toMatchObject({ code: 'unsupported_media_type' });
    expect(await names()).toEqual(['good.md']);
  });

  it.each(['Übersicht – Q3 📊.md', 'تقرير.md', 'e\u0301te\u0301.md', "O'Brien & co; (final).md"])(
    'keeps the name %s',
    async (name) => {
      const { status, body } = await forge.upload(project, { [name]: MARKDOWN });
      expect(status).toBe(201);
      expect(body.name).toBe(name.normalize('NFC'));
      const content = await forge.call('GET', `${url(body.name)}/content`);
      expect(content.status).toBe(200);
      expect(content.text).toBe(MARKDOWN);
      expect((await forge.call('DELETE', url(name))).status).toBe(200);
      expect(await names()).toEqual([]);
    },
  );
});

describe('a file that cannot be read', () => {
  it('ends as failed with its bytes kept, harms no other, and can be retried and deleted', async () => {
    const whole = await makeDocx();
    const corrupt = whole.subarray(0, whole.length / 2);
    await forge.upload(project, { 'fine.md': MARKDOWN });
    const { status, body } = await forge.upload(project, { 'corrupt.docx': corrupt });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'failed',
      searchable_version: null,
      chunk_count: 0,
      summary_status: 'failed',
    });
    expect(body.last_error).toMatchObject({ code: 'corrupt_file', retryable: false });
    expect(body.last_error.message).toMatch(/export|save/i);
    expect((await forge.call('GET', `${url('corrupt.docx')}/content`)).bytes.equals(corrupt)).toBe(true);
    expect((await forge.call('GET', `${url('corrupt.docx')}/markdown`)).body.code).toBe(
      'content_not_available',
    );
    expect(await names('?status=failed')).toEqual(['corrupt.docx']);
    expect(new Set((await search('FIN-2291')).map((hit) => hit.filename))).toEqual(new Set(['fine.md']));

    expect((await forge.call('POST', `${url('fine.md')}/retry`)).body.code).toBe('file_not_retryable');
    const retried = await forge.call('POST', `${url('corrupt.docx')}/retry`);
    expect(retried.status).toBe(202);
    expect(retried.body.last_error).toBeNull();
    await expect.poll(async () => (await forge.call('GET', url('corrupt.docx'))).body.status).toBe('failed');
    expect((await forge.call('DELETE', url('corrupt.docx'))).status).toBe(200);
    expect(await names()).toEqual(['fine.md']);
  });

  it('is failed when it holds no text', async () => {
    const { body } = await forge.upload(project, { 'empty.docx': await makeEmptyDocx() });
    expect(body.status).toBe('failed');
    expect(body.last_error.message.length).toBeGreaterThan(20);
  });
});

describe('the same name again', () => {
  it('makes a new version, keeps what did not change, and embeds only what did', async () => {
    const sentences = (n: number) =>
      Array.from({ length: 40 }, (_, i) => `Sentence ${i} is about topic ${n}.`);
    const section = (n: number, text: string) => `# Section ${n}\n\n${text} ${sentences(n).join(' ')}\n\n`;
    const document = (changed: string) =>
      [1, 2, 3].map((n) => section(n, n === 2 ? changed : 'Same.')).join('');
    await forge.upload(project, { 'doc.md': document('Old words.') });
    const before = (await forge.call('GET', `${url('doc.md')}/leaves`)).body.data;
    const { body } = await forge.upload(project, { 'doc.md': document('New quizzical words.') });
    expect(body).toMatchObject({ version: 2, searchable_version: 2, status: 'completed' });
    const after = (await forge.call('GET', `${url('doc.md')}/leaves`)).body.data;
    const kept = after.filter((leaf: { id: string }) =>
      before.some((old: { id: string }) => old.id === leaf.id),
    );
    expect(after).toHaveLength(before.length);
    expect(kept.length).toBe(before.length - 1);
    expect((await search('quizzical'))[0]?.text).toContain('quizzical');
    expect(await names()).toEqual(['doc.md']);
    const old = await forge.call('GET', `${url('doc.md')}/markdown?version=1`);
    expect(old.text).toContain('Old words.');
  });

  it('keeps the old version searchable when the new one cannot be read', async () => {
    const first = await forge.upload(project, { 'study.docx': await makeDocx('Zanzibar') });
    expect(first.body).toMatchObject({ status: 'completed', last_error: null });
    const corrupt = (await makeDocx()).subarray(0, 900);
    const { body } = await forge.upload(project, { 'study.docx': corrupt });
    expect(body).toMatchObject({ version: 2, searchable_version: 1, status: 'failed' });
    expect((await search('Zanzibar')).length).toBeGreaterThan(0);
  });

  it('at the same time ends with one file and the last version', async () => {
    const uploads = ['one', 'two', 'three'].map((word) =>
      forge.upload(project, { 'same.md': `# T\n\n${word} text.` }),
    );
    const answers = await Promise.all(uploads);
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201]);
    const { body } = await forge.call('GET', url('same.md'));
    expect(body).toMatchObject({ version: 3, searchable_version: 3, status: 'completed' });
    expect(await names()).toEqual(['same.md']);
  });
});

it('deletes a file with all that came from it; the next search does not find it', async () => {
  await forge.upload(project, { 'notes.md': MARKDOWN, 'other.md': '# Other\n\nNothing of the kind.' });
  const { status, body } = await forge.call('DELETE', url('notes.md'));
  expect(status).toBe(200);
  expect(body).toMatchObject({
    object: 'deletion',
    id: 'notes.md',
    removed: { files: 1, versions: 1, summaries: 1 },
  });
  expect(body.removed.leaves).toBeGreaterThan(0);
  expect((await search('FIN-2291')).map((hit) => hit.filename)).not.toContain('notes.md');
  expect((await forge.call('GET', url('notes.md'))).body.code).toBe('file_not_found');
  const state = await forge.call('GET', `/projects/${project}/state`);
  expect(state.body.file_summaries.map((entry: { filename: string }) => entry.filename)).toEqual([
    'other.md',
  ]);
});

it('tells by ETag that a file has not changed', async () => {
  await forge.upload(project, { 'notes.md': MARKDOWN });
  for (const path of [url('notes.md'), `${url('notes.md')}/content`]) {
    const { headers } = await forge.call('GET', path);
    expect((await forge.call('GET', path, undefined, { 'if-none-match': headers.etag })).status).toBe(304);
  }
});
