import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeDocxWithPicture } from '../helpers/docx.ts';

const MARKDOWN = '# Notes\n\nThe budget is 40,000 euros until March.\n';
const CHANGED = '# Notes\n\nThe budget is 50,000 euros until May.\n';

let forge: TestApp;
let project: string;
let count = 0;
beforeAll(async () => {
  forge = await startTestApp();
});
afterAll(() => forge.close());
beforeEach(async () => {
  project = `uploads-${++count}`;
  await forge.call('POST', '/projects', { id: project, name: 'Uploads' });
});

const url = (name = '') => `/projects/${project}/files${name && `/${encodeURIComponent(name)}`}`;
const upload = (files: Record<string, string | Buffer>, query = '') =>
  forge.upload(project, files, {}, query);
const names = async () =>
  (await forge.call('GET', url())).body.data.map((file: { name: string }) => file.name);

/** A multipart body with plain fields around one file. */
async function uploadForm(
  before: Record<string, string>,
  files: Record<string, string> = { 'notes.md': MARKDOWN },
) {
  const field = ([name, value]: [string, string]) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const file = ([name, value]: [string, string]) =>
    `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${value}\r\n`;
  const response = await forge.app.inject({
    method: 'POST',
    url: url(),
    headers: { 'content-type': 'multipart/form-data; boundary=x', prefer: 'wait=60' },
    payload: `${Object.entries(before).map(field).join('')}${Object.entries(files).map(file).join('')}--x--\r\n`,
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

describe('a name that is there already', () => {
  it('says what became of the upload', async () => {
    const first = await upload({ 'notes.md': MARKDOWN });
    expect([first.status, first.headers['upload-result']]).toEqual([201, 'created']);
    const second = await upload({ 'notes.md': CHANGED });
    expect([second.status, second.headers['upload-result'], second.body.version]).toEqual([
      201,
      'replaced',
      2,
    ]);
  });

  it('makes no work for the same bytes, but does for the same bytes cut in another way', async () => {
    await upload({ 'notes.md': MARKDOWN });
    const again = await upload({ 'notes.md': MARKDOWN });
    expect([again.status, again.headers['upload-result']]).toEqual([200, 'unchanged']);
    expect(again.body).toMatchObject({ version: 1, status: 'completed' });
    const fixed = encodeURIComponent('{"strategy":"fixed"}');
    expect((await upload({ 'notes.md': MARKDOWN }, `?chunking=${fixed}`)).body.version).toBe(2);
    // an older version is not the newest one
    await upload({ 'notes.md': CHANGED });
    expect((await upload({ 'notes.md': MARKDOWN })).body.version).toBe(4);
  });

  it('takes the same bytes again where the newest version failed', async () => {
    const broken = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(400, 7)]);
    expect((await upload({ 'a.docx': broken })).body).toMatchObject({ status: 'failed', version: 1 });
    expect((await upload({ 'a.docx': broken })).body).toMatchObject({ status: 'failed', version: 2 });
  });

  it('is left as it is with on_duplicate=skip', async () => {
    await upload({ 'notes.md': MARKDOWN });
    const { status, headers, body } = await upload({ 'notes.md': CHANGED }, '?on_duplicate=skip');
    expect([status, headers['upload-result'], body.version]).toEqual([200, 'skipped', 1]);
    expect((await forge.call('GET', `${url('notes.md')}/content`)).text).toBe(MARKDOWN);
    expect((await upload({ 'new.md': MARKDOWN }, '?on_duplicate=skip')).headers['upload-result']).toBe(
      'created',
    );
  });

  it('is refused with on_duplicate=error, alone and among others', async () => {
    await upload({ 'notes.md': MARKDOWN });
    const refused = await upload({ 'notes.md': CHANGED }, '?on_duplicate=error');
    expect(refused.status).toBe(409);
    expect(refused.body.code).toBe('file_exists');
    const several = await upload({ 'notes.md': CHANGED, 'new.md': CHANGED }, '?on_duplicate=error');
    expect(several.status).toBe(207);
    expect(
      several.body.data.map((entry: { status: number; result: string | null }) => [
        entry.status,
        entry.result,
      ]),
    ).toEqual([
      [409, null],
      [201, 'created'],
    ]);
    expect((await forge.call('GET', url('notes.md'))).body.version).toBe(1);
  });

  it('is made by exactly one of many uploads at the same time that refuse duplicates', async () => {
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((text) => upload({ 'one.md': `# T\n\n${text}` }, '?on_duplicate=error')),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409]);
    expect((await forge.call('GET', url('one.md'))).body.version).toBe(1);
  });

  it('makes one version of the same bytes sent at the same time', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => upload({ 'one.md': MARKDOWN })));
    expect(answers.map((answer) => answer.headers['upload-result']).sort()).toEqual([
      'created',
      'unchanged',
      'unchanged',
    ]);
    expect((await forge.call('GET', url('one.md'))).body).toMatchObject({ version: 1, status: 'completed' });
  });

  it('keeps what older versions were', async () => {
    await upload({ 'notes.md': MARKDOWN });
    await upload({ 'notes.md': CHANGED });
    expect((await forge.call('GET', `${url('notes.md')}/content?version=1`)).text).toBe(MARKDOWN);
    expect((await forge.call('GET', `${url('notes.md')}/markdown?version=1`)).text).toContain('40,000');
    expect((await forge.call('GET', `${url('notes.md')}/content?version=3`)).body.code).toBe(
      'content_not_available',
    );
  });
});

describe('a least fidelity', () => {
  it('fails what keeps less, with bytes, report and older version kept', async () => {
    await upload({ 'study.docx': await makeDocxWithPicture() });
    const bytes = Buffer.concat([await makeDocxWithPicture()]);
    const { status, body } = await upload({ 'study.docx': bytes }, '?min_fidelity=0.99');
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'failed',
      version: 2,
      searchable_version: 1,
      last_error: { code: 'low_fidelity', retryable: false },
    });
    expect(body.last_error.message).toContain('1 image');
    const report = await forge.call('GET', `${url('study.docx')}/fidelity`);
    expect(report.body).toMatchObject({
      object: 'fidelity_report',
      name: 'study.docx',
      version: 2,
      counts: { images: { source: 1, result: 0 } },
      losses: [{ kind: 'image', count: 1 }],
    });
    expect(report.body.score).toBeLessThan(0.99);
    expect((await forge.call('GET', `${url('study.docx')}/content`)).bytes.equals(bytes)).toBe(true);
    const { body: hits } = await forge.call('POST', `/projects/${project}/search`, { query: 'zeppelins' });
    expect(hits.data.length).toBeGreaterThan(0);
  });

  it('takes what keeps enough, and does not take the same bytes for enough unseen', async () => {
    const bytes = await makeDocxWithPicture();
    expect((await upload({ 'study.docx': bytes }, '?min_fidelity=0.9')).body.status).toBe('completed');
    expect((await upload({ 'study.docx': bytes }, '?min_fidelity=0.9')).headers['upload-result']).toBe(
      'unchanged',
    );
    expect((await upload({ 'study.docx': bytes }, '?min_fidelity=0.99')).body.last_error.code).toBe(
      'low_fidelity',
    );
  });

  it('has no report before a conversion', async () => {
    const broken = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(400, 7)]);
    await upload({ 'a.docx': broken });
    expect((await forge.call('GET', `${url('a.docx')}/fidelity`)).body.code).toBe('content_not_available');
  });
});

describe('the options of an upload', () => {
  const long = `# One\n\n${'A sentence about budgets and people. '.repeat(200)}`;

  it('cut it as is asked, as a parameter or as a field before the file', async () => {
    const fixed = '{"strategy":"fixed","chunk_chars":1000,"overlap_chars":100}';
    const byQuery = await upload({ 'q.md': long }, `?chunking=${encodeURIComponent(fixed)}`);
    const byField = await uploadForm({ chunking: fixed }, { 'f.md': long });
    const plain = await upload({ 'p.md': long });
    expect(byField.body.chunk_count).toBe(byQuery.body.chunk_count);
    expect(byQuery.body.chunk_count).not.toBe(plain.body.chunk_count);
    const { body } = await forge.call('GET', `${url('f.md')}/leaves`);
    const lengths = body.data.map(
      (leaf: { char_start: number; char_end: number }) => leaf.char_end - leaf.char_start,
    );
    expect(Math.max(...lengths)).toBe(1_000);
  });

  it('are refused where they cannot be read, and nothing is stored', async () => {
    for (const query of [
      '?chunking=nonsense',
      '?chunking=%7B%22strategy%22%3A%22fixed%22%2C%22chunk_chars%22%3A1%7D',
      '?min_fidelity=2',
      '?on_duplicate=merge',
    ]) {
      const { status, body } = await upload({ 'notes.md': MARKDOWN }, query);
      expect([status, body.code]).toEqual([400, 'invalid_request']);
      expect(body.errors.length).toBeGreaterThan(0);
    }
    const { status, body } = await uploadForm({ on_duplicate: 'merge' });
    expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'invalid_request', 'on_duplicate']);
    expect(await names()).toEqual([]);
  });
});

describe('a dry run', () => {
  it('shows what a file would become, and stores nothing', async () => {
    const { status, body } = await upload({ 'notes.md': MARKDOWN }, '?dry_run=true');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: 'file_preview',
      name: 'notes.md',
      media_type: 'text/markdown',
      bytes: Buffer.byteLength(MARKDOWN),
      last_error: null,
      fidelity: { score: 1 },
      chunking: { strategy: 'hierarchical' },
      chunk_count: 1,
      parent_count: 1,
    });
    expect(body.embedding.tokens).toBeGreaterThan(10);
    expect(body.leaves[0]).toMatchObject({ header_path: ['Notes'], leaf_index: 0 });
    expect(await names()).toEqual([]);
    const real = await upload({ 'notes.md': MARKDOWN });
    expect(real.body).toMatchObject({
      chunk_count: body.chunk_count,
      token_estimate: body.token_estimate,
      version: 1,
    });
  });

  it('says why a file would fail', async () => {
    const broken = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(400, 7)]);
    expect((await upload({ 'a.docx': broken }, '?dry_run=true')).body).toMatchObject({
      last_error: { code: 'corrupt_file' },
      chunk_count: 0,
    });
    const lossy = await upload({ 'b.docx': await makeDocxWithPicture() }, '?dry_run=true&min_fidelity=1');
    expect(lossy.body).toMatchObject({ last_error: { code: 'low_fidelity' }, chunk_count: 1 });
  });

  it('takes one file', async () => {
    expect((await upload({ 'a.md': 'A', 'b.md': 'B' }, '?dry_run=true')).body.code).toBe('invalid_request');
    expect((await upload({}, '?dry_run=true')).body.code).toBe('no_file_part');
    expect((await upload({ 'a.exe': 'MZ' }, '?dry_run=true')).status).toBe(415);
  });
});
