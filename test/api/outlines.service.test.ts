import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeDocx } from '../helpers/docx.ts';
import { MANUAL, type OutlineNodeView, outlineCalls, texts } from '../helpers/outline-calls.ts';

let forge: TestApp;
let project: string;
let count = 0;
beforeAll(async () => {
  forge = await startTestApp();
});
afterAll(() => forge.close());
beforeEach(async () => {
  project = `outlines-${++count}`;
  await forge.call('POST', '/projects', { id: project, name: 'Outlines' });
});

const { url, outline, put, upload } = outlineCalls(() => ({ forge, project }));

describe('the outline of a file', () => {
  it('has its headings with ranges, sizes, leaves and pointers', async () => {
    await upload({ 'manual.md': MANUAL });
    const { status, headers, body } = await outline('manual.md');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: 'outline',
      filename: 'manual.md',
      state: 'ready',
      is_stale: false,
      version: 1,
      truncated: false,
      total_nodes: 5,
      guardrail: null,
      retry_after_ms: null,
    });
    expect(texts(body)).toEqual(['Manual', 'Installing', 'Tools', 'Operating', 'Returning']);
    expect(headers.etag).toBe(`"${body.outline_digest}"`);
    const [manual, installing, tools, operating] = body.nodes as OutlineNodeView[];
    expect(manual?.parent_id).toBeNull();
    expect(manual?.children).toEqual(
      body.nodes.filter((node: OutlineNodeView) => node.level === 2).map((node: OutlineNodeView) => node.id),
    );
    expect(tools?.parent_id).toBe(installing?.id);
    expect(MANUAL.slice(installing?.char_range.start, installing?.char_range.end)).toMatch(
      /^## Installing[\s\S]*two people\.\s*$/,
    );
    expect(operating?.blurb).toContain('Never lift more than 900 kg.');
    expect(operating?.token_estimate).toBeGreaterThan(10);
    const { body: leaves } = await forge.call('GET', url('manual.md', '/leaves'));
    expect(leaves.data.map((leaf: { id?: string; leaf_id?: string }) => leaf.id ?? leaf.leaf_id)).toContain(
      installing?.chunk_id,
    );
  });

  it('is cut to levels, nodes and tokens, the deepest first, and says so', async () => {
    await upload({ 'manual.md': MANUAL });
    const top = await outline('manual.md', '?levels=2');
    expect(texts(top.body)).toEqual(['Manual', 'Installing', 'Operating', 'Returning']);
    expect(top.body).toMatchObject({ truncated: true, total_nodes: 5 });
    expect((await outline('manual.md', '?max_nodes=4')).body.nodes).toHaveLength(4);
    const few = (await outline('manual.md', '?max_tokens=60&include_blurbs=false')).body;
    expect(few.truncated).toBe(true);
    expect(few.nodes.length).toBeLessThan(5);
    expect(few.nodes.every((node: OutlineNodeView) => node.blurb === null)).toBe(true);
    for (const query of ['?levels=0', '?max_nodes=none', '?include_blurbs=perhaps']) {
      expect((await outline('manual.md', query)).status).toBe(400);
    }
  });

  it('is not sent again to a client that has its digest', async () => {
    await upload({ 'manual.md': MANUAL });
    const { body } = await outline('manual.md');
    const again = await outline('manual.md', '', { 'if-none-match': `"${body.outline_digest}"` });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers.etag).toBe(`"${body.outline_digest}"`);
    await put('manual.md', MANUAL.replace('900 kg', '800 kg'));
    const changed = await outline('manual.md', '', { 'if-none-match': `"${body.outline_digest}"` });
    expect(changed.status).toBe(200);
    expect(changed.body.version).toBe(2);
  });

  it.each([
    [
      'crane.yaml',
      'crane:\n  lift: 900\n  bolts: [1, 2]\nowner: Nora\n',
      ['crane', 'lift', 'bolts', 'owner'],
    ],
    [
      'crane.json',
      '{"crane": {"lift": 900, "bolts": [1, 2]}, "owner": "Nora"}',
      ['crane', 'lift', 'bolts', 'owner'],
    ],
    ['crane.txt', 'The crane lifts 900 kg.\n\nNora owns it.\n', ['The crane lifts 900 kg.', 'Nora owns it.']],
  ])('follows the structure of %s', async (name, content, expected) => {
    await upload({ [name]: content });
    const { body } = await outline(name);
    expect(body.state).toBe('ready');
    expect(texts(body).map((text) => text.replace(/ ?\[\d+\]$/, ''))).toEqual(expected);
  });

  it('of a Word file follows its headings', async () => {
    await upload({ 'plan.docx': await makeDocx() });
    const { body } = await outline('plan.docx');
    expect(body.state).toBe('ready');
    expect(body.nodes.length).toBeGreaterThan(0);
  });

  it('is a state where there is nothing to be read', async () => {
    await upload({ 'empty.md': '   \n' });
    await upload({ 'broken.docx': 'PK\u0003\u0004 this is no archive' });
    const broken = await outline('broken.docx');
    expect(broken.status).toBe(200);
    expect(broken.body).toMatchObject({ state: 'unsupported_format', nodes: [], version: null });
    expect(broken.body.detail).toEqual(expect.any(String));
    const empty = await outline('empty.md');
    expect(empty.status).toBe(200);
    expect(empty.body.nodes).toEqual([]);
    expect((await outline('nowhere.md')).body.code).toBe('file_not_found');
  });
});

describe('a stored outline that does not fit its text', () => {
  it.each([
    ['the text was changed', "markdown = replace(markdown, 'Operating', 'Using it')"],
    ['it is missing', 'outline = null, outline_digest = null, outline_build = null'],
    ['it is of another build', 'outline_build = -1'],
  ])('is made again when %s', async (_, change) => {
    await upload({ 'manual.md': MANUAL });
    await forge.db.query(`update file_versions set ${change} where project_id = $1`, [project]);
    const first = await outline('manual.md');
    expect(first.body).toMatchObject({ state: 'pending', nodes: [], retry_after_ms: expect.any(Number) });
    expect(first.headers['retry-after']).toBeDefined();
    await expect.poll(async () => (await outline('manual.md')).body.state, { interval: 25 }).toBe('ready');
    const { body } = await outline('manual.md');
    expect(texts(body)).toContain(change.startsWith('markdown') ? 'Using it' : 'Operating');
  });
});
