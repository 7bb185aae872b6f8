import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { paragraphs } from '../helpers/prose.ts';

const GUIDE = `# Pilot guide

## Pricing

A paid pilot costs 12,000 EUR and converts at 62 percent. ${'Free pilots convert worse. '.repeat(20)}

## Length

A pilot runs for six weeks, with a review in the third. ${'Longer ones drift. '.repeat(25)}
`;
const REPORT = `# Campaign report

## Churn

Enterprise customers churn at 4.1 percent because onboarding takes eleven weeks. ${'Procurement adds three. '.repeat(20)}
`;
const PILOT = 'What does a paid pilot cost?';
const CHURN = 'Why do enterprise customers churn?';

let forge: TestApp;
beforeAll(async () => {
  forge = await startTestApp();
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  await forge.call('POST', '/projects', { id: 'q', name: 'Q' });
  await forge.upload('p', { 'report.md': REPORT });
});
afterAll(() => forge.close());

const library = async (query: string, options: object = {}) =>
  (await forge.call('POST', '/library/search', { query, ...options })).body;
const project = async (id: string, query: string, options: object = {}) =>
  (await forge.call('POST', `/projects/${id}/search`, { query, ...options })).body;
const origins = ({ data }: { data: { source: string; filename: string }[] }) =>
  data.map(({ source, filename }) => `${source}/${filename}`);

describe('a library that nothing was put into', () => {
  it('is empty to its readers, and says what to do', async () => {
    expect((await forge.call('GET', '/library/files')).body).toMatchObject({ data: [], has_more: false });
    expect(await library(PILOT)).toMatchObject({
      data: [],
      considered: 0,
      detail: expect.stringContaining('POST /library/files'),
    });
    const both = await project('p', CHURN, { sources: ['project', 'library'] });
    expect(both.detail).toContain('POST /library/files');
    expect(origins(both)).toEqual(['project/report.md']);
    expect((await forge.call('GET', '/library/usage')).body).toMatchObject({
      object: 'library_usage',
      total: { calls: 0 },
    });
  });

  it('has no file, and says where those are that it has', async () => {
    const { status, body } = await forge.call('GET', '/library/files/guide.md');
    expect(status).toBe(404);
    expect(body).toMatchObject({
      code: 'file_not_found',
      detail: expect.stringContaining('GET /library/files'),
    });
    expect((await forge.call('POST', '/library/files:retry')).body).toMatchObject({ count: 0 });
  });

  it('is made once by uploads that come at the same moment', async () => {
    const uploads = await Promise.all(
      ['a.md', 'b.md', 'c.md', 'd.md'].map((name) => forge.uploadToLibrary({ [name]: '# T\n\nText.\n' })),
    );
    expect(uploads.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const { rows } = await forge.db.query('select project_id from projects where kind = $1', ['library']);
    expect(rows).toHaveLength(1);
    for (const name of ['a.md', 'b.md', 'c.md', 'd.md']) {
      expect((await forge.call('DELETE', `/library/files/${name}`)).status).toBe(200);
    }
  });
});

describe('the library', () => {
  beforeAll(async () => {
    const { status, headers, body } = await forge.uploadToLibrary({ 'guide.md': GUIDE });
    expect(status).toBe(201);
    expect(headers.location).toBe('/library/files/guide.md');
    expect(body).toMatchObject({ name: 'guide.md', status: 'completed', searchable_version: 1 });
  });

  it('takes the same bytes again without work', async () => {
    const calls = async () => (await forge.call('GET', '/library/usage')).body.total.calls;
    const before = await calls();
    const { status, headers, body } = await forge.uploadToLibrary({ 'guide.md': GUIDE });
    expect(status).toBe(200);
    expect(headers['upload-result']).toBe('unchanged');
    expect(body.version).toBe(1);
    expect(await calls()).toBe(before);
  });

  it('has the operations of a project for its files', async () => {
    const at = (path: string) => forge.call('GET', `/library/files/guide.md${path}`);
    expect((await at('/content')).text).toBe(GUIDE);
    expect((await at('/markdown')).text).toBe(GUIDE);
    expect((await at('/fidelity')).status).toBe(200);
    expect((await at('/leaves')).body.data.length).toBeGreaterThan(1);
    const outline = (await at('/outline')).body;
    const node = outline.nodes.find(({ text }: { text: string }) => text === 'Length');
    const read = await forge.call('GET', `/library/pointers/${encodeURIComponent(node.pointer_id)}`);
    expect(read.body.text).toContain('six weeks');
    const sections = await forge.call('POST', '/library/files/guide.md/sections', { query: 'pilot cost' });
    expect(sections.body.pointers.length).toBeGreaterThan(0);
    const { headers } = await at('/content');
    const put = (etag: string) =>
      forge.call('PUT', '/library/files/guide.md/content', GUIDE, { 'if-match': etag });
    expect((await put('"other"')).status).toBe(412);
    expect(headers.etag).toBeTruthy();
  });

  it('is searched from any project that asks for it, and from no other', async () => {
    expect(origins(await library(PILOT))).toContain('library/guide.md');
    for (const id of ['p', 'q']) {
      expect(origins(await project(id, PILOT, { sources: ['project', 'library'] }))).toContain(
        'library/guide.md',
      );
      expect(origins(await project(id, PILOT, { sources: ['library'] }))).toContain('library/guide.md');
      expect(origins(await project(id, PILOT))).not.toContain('library/guide.md');
    }
    expect(await library(CHURN)).toMatchObject({ data: [], detail: null });
  });

  it('counts and filters both', async () => {
    const both = { sources: ['project', 'library'] };
    const counts = await Promise.all([project('p', PILOT), library(PILOT), project('p', PILOT, both)]);
    const [own, shared, all] = counts.map(({ considered }) => considered);
    expect(all).toBe(own + shared);
    const filters = { filenames: ['guide.md'] };
    expect((await project('p', CHURN, { ...both, filters, min_score: 0 })).likeliest_file).toBe('guide.md');
  });

  it('checks citations of its files, from a project too', async () => {
    const quote = 'A paid pilot costs 12,000 EUR';
    const cited = { filename: 'guide.md', char_start: GUIDE.indexOf(quote), quote };
    const verify = async (place: string, citation: object) =>
      (await forge.call('POST', `${place}/citations:verify`, { citations: [citation] })).body.data[0];
    expect(await verify('/library', cited)).toMatchObject({ status: 'valid', source: 'library' });
    expect(await verify('/projects/p', { ...cited, source: 'library' })).toMatchObject({ status: 'valid' });
    expect(await verify('/projects/p', cited)).toMatchObject({ status: 'gone', source: 'project' });
  });

  it('is no project', async () => {
    const { body } = await forge.call('GET', '/projects');
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['p', 'q']);
    for (const path of ['', '/state', '/files', '/files/guide.md', '/turns', '/usage']) {
      expect((await forge.call('GET', `/projects/_library${path}`)).status).toBe(404);
    }
    const refused = [
      forge.call('DELETE', '/projects/_library'),
      forge.call('PATCH', '/projects/_library', { name: 'Mine' }),
      forge.call('POST', '/projects/_library/search', { query: PILOT }),
      forge.call('POST', '/projects/_library/turns', { message: PILOT }),
      forge.upload('_library', { 'x.md': 'x' }),
    ];
    expect((await Promise.all(refused)).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect((await forge.call('POST', '/projects', { id: '_library', name: 'L' })).status).toBe(400);
    expect((await forge.call('POST', '/projects', { name: '_library' })).body.id).toBe('library');
    expect((await forge.call('POST', '/library/turns', { message: PILOT })).status).toBe(404);
  });

  it('is not searched any more for what was deleted', async () => {
    await forge.uploadToLibrary({ 'gone.md': '# Zebras\n\nZebras pay in stripes of twelve.\n' });
    expect(origins(await library('stripes of zebras'))).toContain('library/gone.md');
    expect((await forge.call('DELETE', '/library/files/gone.md')).body.removed).toMatchObject({ files: 1 });
    expect(origins(await library('stripes of zebras'))).not.toContain('library/gone.md');
  });
});

describe('a project beside a large library', () => {
  const topic = (name: string, seed: number) =>
    `# ${name}\n\n## Churn\n\nEnterprise customers churn because onboarding takes long. ${paragraphs(seed, 1)}\n`;
  const both = { sources: ['project', 'library'], limit: 4 };

  it('keeps half of the places for what bears on the query', async () => {
    await forge.call('POST', '/projects', { id: 'r', name: 'R' });
    await forge.upload('r', {
      'own-1.md': topic('Own notes', 3),
      'own-2.md': `${topic('Own log', 4)} Late.`,
    });
    const shelves = Array.from({ length: 8 }, (_, i) => [
      `shelf-${i}.md`,
      `# Enterprise customers churn\n\n${CHURN} Enterprise customers churn, case ${i}.\n`,
    ]);
    await forge.uploadToLibrary(Object.fromEntries(shelves));
    const found = await project('r', CHURN, both);
    const own = origins(found).filter((origin) => origin.startsWith('project/'));
    expect(found.data).toHaveLength(4);
    expect(own).toHaveLength(2);
    const scores = found.data.map(({ score }: { score: number }) => score);
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
    expect(found.has_more).toBe(true);
    // and takes no more than it has
    expect(origins(await project('q', CHURN, both)).every((origin) => origin.startsWith('library/'))).toBe(
      true,
    );
  });
});

describe('chunking: fixed', () => {
  const TEXT = `# Notes\n\n${'Señora 👩‍👩‍👧‍👦 met José in Zoë’s café. '.repeat(200)}`;

  it.each(['/library', '/projects/p'])(
    'cuts windows of 1,500 characters that overlap by 200 in %s',
    async (place) => {
      const query = `?chunking=${encodeURIComponent('{"strategy":"fixed"}')}`;
      const file = { 'fixed.md': TEXT };
      const { body } =
        place === '/library'
          ? await forge.uploadToLibrary(file, {}, query)
          : await forge.upload('p', file, {}, query);
      expect(body.status).toBe('completed');
      const { data } = (await forge.call('GET', `${place}/files/fixed.md/leaves?limit=100`)).body;
      expect(data.length).toBeGreaterThan(3);
      for (const [i, leaf] of data.entries()) {
        expect(leaf.text).toBe(TEXT.slice(leaf.char_start, leaf.char_end));
        const next = data[i + 1];
        if (!next) continue;
        // a border moves to the start of its character, which may be a family
        expect(leaf.char_end - leaf.char_start).toBeGreaterThan(1_500 - 11);
        expect(leaf.char_end - leaf.char_start).toBeLessThanOrEqual(1_500);
        expect(leaf.char_end - next.char_start).toBeGreaterThanOrEqual(200);
        expect(leaf.char_end - next.char_start).toBeLessThan(200 + 11);
      }
    },
  );

  it('says what is wrong with an overlap as long as a window', async () => {
    const chunking = '{"strategy":"fixed","chunk_chars":500,"overlap_chars":500}';
    const { status, body } = await forge.uploadToLibrary(
      { 'bad.md': TEXT },
      {},
      `?chunking=${encodeURIComponent(chunking)}`,
    );
    expect(status).toBe(400);
    expect(JSON.stringify(body.errors)).toContain('must be at most half of chunk_chars');
  });
});
