import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';

const TEXT = '# Quokka\n\nA quokka costs 12 euros, which is what the board has agreed on.\n';
let forge: TestApp;
let project: string;
let count = 0;
beforeAll(async () => {
  forge = await startTestApp();
});
afterAll(() => forge.close());
beforeEach(async () => {
  project = `rename-${++count}`;
  await forge.call('POST', '/projects', { id: project, name: 'Rename' });
  const uploaded = await forge.upload(project, { 'draft.md': TEXT });
  expect(uploaded).toMatchObject({ status: 201, body: { status: 'completed' } });
});

const url = (name: string) => `/projects/${project}/files/${encodeURIComponent(name)}`;
const rename = (from: string, to: string, headers = {}) =>
  forge.call('PATCH', url(from), { name: to }, headers);
const search = async (query: string) =>
  (await forge.call('POST', `/projects/${project}/search`, { query })).body.data as Record<string, unknown>[];

describe('a file that is renamed', () => {
  it('goes by its new name, and by no other', async () => {
    const before = (await forge.call('GET', url('draft.md'))).body;
    const { status, body, headers } = await rename('draft.md', 'prices.md');
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, name: 'prices.md', updated_at: body.updated_at });
    expect(headers.location).toBe(url('prices.md'));
    const now = await forge.call('GET', url('prices.md'));
    expect(now.headers.etag).toBe(headers.etag);
    expect((await forge.call('GET', url('draft.md'))).body.code).toBe('file_not_found');
    expect((await forge.call('GET', `${url('prices.md')}/content`)).text).toBe(TEXT);
  });

  it('is quoted by its new name, and found by it', async () => {
    await rename('draft.md', 'kangaroo.md');
    const [passage] = await search('What does a quokka cost?');
    expect(passage).toMatchObject({
      filename: 'kangaroo.md',
      context_header: '[Source: kangaroo.md > Quokka]',
    });
    const leaves = await forge.call('GET', `${url('kangaroo.md')}/leaves`);
    expect(leaves.body.data[0].context_header).toBe('[Source: kangaroo.md > Quokka]');
    await forge.settle();
    const { rows } = await forge.db.query<{ term: string }>(
      `select term from leaf_postings where project_id = $1 and term in ('kangaroo', 'draft')`,
      [project],
    );
    expect(rows.map(({ term }) => term)).toEqual(['kangaroo']);
  });

  it('has what the same upload under that name would have had', async () => {
    await rename('draft.md', 'other.md');
    await forge.settle();
    const other = `${project}-b`;
    await forge.call('POST', '/projects', { id: other, name: 'Other' });
    await forge.upload(other, { 'other.md': TEXT });
    const stored = async (of: string) => {
      const leaves = await forge.db.query(
        `select leaf_id, parent_id, leaf_index, header_path, breadcrumb, text, content_hash,
           exists (select from leaf_vectors v where v.project_id = l.project_id and v.leaf_id = l.leaf_id) as has_vector
         from document_leaves l where project_id = $1 order by leaf_index`,
        [of],
      );
      const parents = await forge.db.query(
        'select parent_id, parent_index, breadcrumb, text from document_parents where project_id = $1 order by parent_index',
        [of],
      );
      const postings = await forge.db.query(
        'select term, leaf_count, packed from leaf_postings where project_id = $1 order by term',
        [of],
      );
      return [leaves.rows, parents.rows, postings.rows];
    };
    expect(await stored(project)).toEqual(await stored(other));
  });

  it('leaves its old name free for another file of the same text', async () => {
    await rename('draft.md', 'prices.md');
    await forge.upload(project, { 'draft.md': TEXT });
    // the same passage counts once, and names the other file
    const [found, ...others] = await search('What does a quokka cost?');
    expect(others).toEqual([]);
    const also = found?.also_in as { filename: string }[];
    expect([found?.filename, ...also.map(({ filename }) => filename)].sort()).toEqual([
      'draft.md',
      'prices.md',
    ]);
  });

  it('stays what the state was taken from', async () => {
    await forge.call('POST', `/projects/${project}/turns`, {
      message: 'We assume that quokkas stay cheap. What does a quokka cost?',
    });
    await forge.settle();
    await forge.db.query(
      `update projects set state = jsonb_set(state, '{assumptions,0,sources}', $2::jsonb) where project_id = $1`,
      [project, JSON.stringify([{ filename: 'draft.md', version: 1 }])],
    );
    await rename('draft.md', 'prices.md');
    const { body } = await forge.call('GET', `/projects/${project}/state`);
    const state = body.state ?? body;
    expect(state.assumptions[0]).toMatchObject({
      sources: [{ filename: 'prices.md', version: 1 }],
      stale: [],
    });
    expect(state.file_summaries).toMatchObject([{ filename: 'prices.md' }]);
  });

  it('while it is being read is read under its new name', async () => {
    await forge.upload(project, { 'w.md': '# Wombat\n\nA wombat costs 90 euros.' }, { prefer: 'wait=0' });
    await rename('w.md', 'wombat.md');
    await forge.settle();
    const { body } = await forge.call('GET', `${url('wombat.md')}/leaves`);
    expect(body.data.map((leaf: { context_header: string }) => leaf.context_header)).toEqual([
      '[Source: wombat.md > Wombat]',
    ]);
  });
});

describe('a rename is refused', () => {
  it('for a name that is taken, and one that no file can have', async () => {
    await forge.upload(project, { 'taken.md': '# Taken\n\nThis name is taken.' });
    const taken = await rename('draft.md', 'taken.md');
    expect([taken.status, taken.body.code, taken.body.errors[0].pointer]).toEqual([
      409,
      'file_exists',
      '/name',
    ]);
    expect((await rename('draft.md', 'a/b.md')).body.code).toBe('invalid_file_name');
    expect((await rename('draft.md', ' ')).body.code).toBe('invalid_file_name');
    expect((await rename('nothing.md', 'x.md')).body.code).toBe('file_not_found');
  });

  it('for an ending of another format', async () => {
    const { status, body } = await rename('draft.md', 'draft.pdf');
    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
    expect(body.detail).toContain('.md');
    expect((await rename('draft.md', 'draft.MARKDOWN')).status).toBe(200);
  });

  it('when the file has changed since it was read', async () => {
    const { headers } = await forge.call('GET', url('draft.md'));
    await rename('draft.md', 'second.md', { 'if-match': headers.etag });
    const { status, body } = await rename('second.md', 'third.md', { 'if-match': headers.etag });
    expect([status, body.code]).toEqual([412, 'precondition_failed']);
  });
});

it('one of two renames to the same name at the same moment is done', async () => {
  await forge.upload(project, { 'b.md': '# B\n\nAnother one.' });
  const answers = await Promise.all([rename('draft.md', 'same.md'), rename('b.md', 'same.md')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});
