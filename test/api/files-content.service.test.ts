import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeDocx } from '../helpers/docx.ts';

const LIMIT = 3 * 1024 * 1024;
const MARKDOWN = '# Notes\n\nThe budget is 40,000 euros until March – ticket FIN-2291.\n';

let forge: TestApp;
let project: string;
let count = 0;
beforeAll(async () => {
  forge = await startTestApp({ settings: { MAX_UPLOAD_BYTES: String(LIMIT) } });
});
afterAll(() => forge.close());
beforeEach(async () => {
  project = `content-${++count}`;
  await forge.call('POST', '/projects', { id: project, name: 'Content' });
});

const url = (name: string, part = '') => `/projects/${project}/files/${encodeURIComponent(name)}${part}`;
const get = (name: string, headers = {}, part = '/content') =>
  forge.call('GET', url(name, part), undefined, headers);
const head = (path: string) => forge.app.inject({ method: 'HEAD', url: path });
async function put(name: string, payload: string | Buffer, headers: Record<string, string> = {}, query = '') {
  const response = await forge.app.inject({
    method: 'PUT',
    url: url(name, `/content${query}`),
    headers: { prefer: 'wait=60', ...headers },
    payload,
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

describe('a download', () => {
  it('of many slices is the file as it came', async () => {
    // text that cannot be split at the same place twice without being noticed
    const words = Array.from({ length: 220_000 }, (_, n) => `w${n}`).join(' ');
    const bytes = Buffer.from(words).subarray(0, 1_500_000);
    await forge.upload(project, { 'big.txt': bytes }, { prefer: 'respond-async' });
    const whole = await get('big.txt');
    expect(createHash('sha256').update(whole.bytes).digest('hex')).toBe(
      createHash('sha256').update(bytes).digest('hex'),
    );
    expect(whole.headers['content-length']).toBe(String(bytes.length));
    const middle = await get('big.txt', { range: 'bytes=1048570-1048590' });
    expect(middle.bytes.equals(bytes.subarray(1_048_570, 1_048_591))).toBe(true);
    // its 200,000 different words need not be indexed for this
    await forge.call('DELETE', url('big.txt'));
  });

  it.each([
    ['bytes=0-4', 206, 'bytes 0-4/', '# Not'],
    ['bytes=-5', 206, 'bytes ', '291.\n'],
    ['bytes=2-', 206, 'bytes 2-', MARKDOWN.slice(2)],
    ['bytes=0-99999', 206, 'bytes 0-', MARKDOWN],
    ['bytes=4-2', 200, undefined, MARKDOWN],
    ['bytes=0-1,4-5', 200, undefined, MARKDOWN],
    ['lines=1-2', 200, undefined, MARKDOWN],
    ['bytes=-', 200, undefined, MARKDOWN],
  ])('of the range %s answers %i', async (range, status, contentRange, text) => {
    await forge.upload(project, { 'notes.md': MARKDOWN });
    const answer = await get('notes.md', { range });
    expect(answer.status).toBe(status);
    expect(answer.text).toBe(text);
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(text)));
    expect(answer.headers['accept-ranges']).toBe('bytes');
    if (contentRange) expect(answer.headers['content-range']).toContain(contentRange);
    else expect(answer.headers['content-range']).toBeUndefined();
  });

  it('of a range behind the end is refused with the size', async () => {
    await forge.upload(project, { 'notes.md': MARKDOWN });
    for (const range of ['bytes=100000-', 'bytes=-0']) {
      const { status, headers, body } = await get('notes.md', { range });
      expect([status, body.code]).toEqual([416, 'range_not_satisfiable']);
      expect(headers['content-range']).toBe(`bytes */${Buffer.byteLength(MARKDOWN)}`);
    }
  });

  it('goes on from a range only if the file is still the same', async () => {
    await forge.upload(project, { 'notes.md': MARKDOWN });
    const etag = String((await get('notes.md')).headers.etag);
    expect((await get('notes.md', { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
    expect((await get('notes.md', { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
  });
});

describe('HEAD', () => {
  it.each(['', '/content', '/markdown', '/leaves', '/fidelity', '/events'])(
    'of a file%s has the headers of GET and no body',
    async (part) => {
      await forge.upload(project, { 'notes.md': MARKDOWN });
      const full = await get('notes.md', {}, part);
      const { statusCode, headers, body } = await head(url('notes.md', part));
      expect(statusCode).toBe(200);
      expect(body).toBe('');
      const names = ['content-type', 'etag', 'content-disposition', 'x-file-version'];
      if (part !== '/events') names.push('content-length');
      for (const name of names) expect(headers[name], name).toBe(full.headers[name]);
    },
  );

  it('of what is not there is 404', async () => {
    expect((await head(url('none.md', '/content'))).statusCode).toBe(404);
    expect((await head(url('none.md'))).statusCode).toBe(404);
  });
});

it('tells by ETag that Markdown has not changed', async () => {
  await forge.upload(project, { 'notes.md': MARKDOWN });
  const { headers } = await get('notes.md', {}, '/markdown');
  const etag = { 'if-none-match': String(headers.etag) };
  expect((await get('notes.md', etag, '/markdown')).status).toBe(304);
  await forge.upload(project, { 'notes.md': `${MARKDOWN}More.` });
  expect((await get('notes.md', etag, '/markdown')).status).toBe(200);
});

describe('PUT of content', () => {
  it('makes a file, replaces it, and does nothing for the same bytes', async () => {
    const made = await put('notes.md', MARKDOWN, { 'content-type': 'text/plain' });
    expect([made.status, made.headers['upload-result'], made.body.version]).toEqual([201, 'created', 1]);
    expect(made.body.status).toBe('completed');
    expect(made.headers.location).toBe(url('notes.md'));
    const next = await put('notes.md', `${MARKDOWN}More.`, { 'content-type': 'application/json' });
    expect([next.status, next.headers['upload-result'], next.body.version]).toEqual([200, 'replaced', 2]);
    const same = await put('notes.md', `${MARKDOWN}More.`);
    expect([same.status, same.headers['upload-result'], same.body.version]).toEqual([200, 'unchanged', 2]);
    expect((await get('notes.md')).text).toBe(`${MARKDOWN}More.`);
  });

  it('takes any type for what the bytes are', async () => {
    const docx = await makeDocx();
    const { status, body } = await put('study.docx', docx, {
      'content-type': 'multipart/form-data; boundary=x',
    });
    expect([status, body.status]).toEqual([201, 'completed']);
    expect((await get('study.docx')).bytes.equals(docx)).toBe(true);
  });

  it('replaces only what was read, with If-Match', async () => {
    const made = await put('notes.md', MARKDOWN);
    const etag = String(made.headers.etag);
    expect((await get('notes.md')).headers.etag).toBe(etag);
    expect((await put('notes.md', 'Two.', { 'if-match': etag })).status).toBe(200);
    const late = await put('notes.md', 'Three.', { 'if-match': etag });
    expect([late.status, late.body.code]).toEqual([412, 'precondition_failed']);
    expect((await put('none.md', 'x', { 'if-match': '*' })).status).toBe(412);
    expect((await get('notes.md')).text).toBe('Two.');
  });

  it('only makes, with If-None-Match: *, and exactly once', async () => {
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((text) => put('one.md', text, { 'if-none-match': '*' })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 412, 412]);
    expect((await forge.call('GET', url('one.md'))).body.version).toBe(1);
  });

  it('refuses what an upload refuses', async () => {
    expect((await put('notes.md', '')).body.code).toBe('empty_file');
    expect((await put('a.exe', 'MZ')).body.code).toBe('unsupported_media_type');
    expect((await put('a\u202Eb.md', 'x')).body.code).toBe('invalid_file_name');
    expect((await put('big.md', 'x'.repeat(LIMIT + 1))).body.code).toBe('file_too_large');
    const elsewhere = await forge.app.inject({
      method: 'PUT',
      url: '/projects/none/files/a.md/content',
      payload: 'x',
    });
    expect(elsewhere.json().code).toBe('project_not_found');
  });

  it('takes the options of an upload', async () => {
    const long = 'A sentence about budgets and people. '.repeat(200);
    const chunking = encodeURIComponent('{"strategy":"fixed","chunk_chars":500,"overlap_chars":0}');
    const { body } = await put('long.md', long, {}, `?chunking=${chunking}`);
    expect(body.chunk_count).toBe(Math.ceil(long.trimEnd().length / 500));
  });
});

describe('after a file is deleted', () => {
  const CANARY = 'quixotic';

  async function tablesWith(text: string): Promise<string[]> {
    const { rows: tables } = await forge.db.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
      [],
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await forge.db.query(
        `select 1 from ${name} t where t::text ilike '%' || $1 || '%' limit 1`,
        [text],
      );
      if (rows.length > 0) found.push(name);
    }
    return found;
  }

  it('no table holds any of it, in any version', async () => {
    const name = 'picaresque.md';
    await forge.upload(project, { [name]: `# One\n\nCanary ${CANARY} text.\n` });
    await forge.upload(project, { [name]: `# Two\n\nCanary ${CANARY} text, more.\n` });
    const holding = new Set([...(await tablesWith(CANARY)), ...(await tablesWith(name))]);
    const texts = ['document_leaves', 'document_parents', 'file_versions', 'files', 'projects'];
    expect([...holding]).toEqual(expect.arrayContaining(texts));
    expect((await forge.call('DELETE', url(name))).status).toBe(200);
    expect(await tablesWith(CANARY)).toEqual([]);
    // the log of who did what, and the feed of what happened, keep the names of what it was done to
    const logs = ['audit_events', 'project_events'];
    expect((await tablesWith(name)).filter((table) => !logs.includes(table))).toEqual([]);
  });

  it('turns that quoted it keep their text, and nothing else does', async () => {
    await forge.upload(project, { 'notes.md': `# One\n\nThe ${CANARY} budget is 40,000 euros.\n` });
    await forge.call('POST', `/projects/${project}/turns`, { message: 'How large is the budget?' });
    await forge.call('DELETE', url('notes.md'));
    const conversation = ['turns', 'turn_summaries', 'turn_postings', 'turn_events'];
    expect((await tablesWith(CANARY)).filter((table) => !conversation.includes(table))).toEqual([]);
  });
});
