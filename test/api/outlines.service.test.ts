import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddingError } from '../../src/embeddings/model.ts';
import { createFakeEmbeddingModel } from '../fakes/embedding-model.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { makeDocx } from '../helpers/docx.ts';

const MANUAL = `# Manual

What this is about.

## Installing

Take the crane to the yard and fasten the four bolts. The torque is 80 Nm.

### Tools

A spanner of 19 mm, a level, two people.

## Operating

Never lift more than 900 kg. In wind over 12 m/s the crane stands still.

## Returning

The notice period for returning a rented crane is fourteen days.
`;

let forge: TestApp;
let embeddingModel: ReturnType<typeof createFakeEmbeddingModel>;
let project: string;
let count = 0;
beforeAll(async () => {
  embeddingModel = createFakeEmbeddingModel();
  forge = await startTestApp({ overrides: { embeddingModel } });
});
afterAll(() => forge.close());
beforeEach(async () => {
  project = `outlines-${++count}`;
  await forge.call('POST', '/projects', { id: project, name: 'Outlines' });
});

const url = (name: string, part: string) => `/projects/${project}/files/${encodeURIComponent(name)}${part}`;
const outline = (name: string, query = '', headers = {}) =>
  forge.call('GET', url(name, `/outline${query}`), undefined, headers);
const sections = (name: string, body: object) => forge.call('POST', url(name, '/sections'), body);
const read = (pointerId: string, query = '') =>
  forge.call('GET', `/projects/${project}/pointers/${encodeURIComponent(pointerId)}${query}`);
async function put(name: string, payload: string, headers: Record<string, string> = {}) {
  const response = await forge.app.inject({
    method: 'PUT',
    url: url(name, '/content'),
    headers: { prefer: 'wait=60', ...headers },
    payload,
  });
  return { status: response.statusCode, body: response.json() };
}
const upload = (files: Record<string, string | Buffer>, headers = {}) =>
  forge.upload(project, files, headers);

type Node = {
  id: string;
  parent_id: string | null;
  level: number;
  text: string;
  char_range: { start: number; end: number };
  chunk_id: string | null;
  blurb: string | null;
  token_estimate: number;
  pointer_id: string;
  children: string[];
};
const texts = (body: { nodes: Node[] }) => body.nodes.map((node) => node.text);
async function pointerOf(name: string, text: string): Promise<string> {
  const { body } = await outline(name);
  const node = body.nodes.find((one: Node) => one.text === text);
  return node.pointer_id;
}

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
    const [manual, installing, tools, operating] = body.nodes as Node[];
    expect(manual?.parent_id).toBeNull();
    expect(manual?.children).toEqual(
      body.nodes.filter((node: Node) => node.level === 2).map((node: Node) => node.id),
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
    expect(few.nodes.every((node: Node) => node.blurb === null)).toBe(true);
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
    await expect
      .poll(async () => (await outline('manual.md')).body.state, { timeout: 20_000, interval: 25 })
      .toBe('ready');
    const { body } = await outline('manual.md');
    expect(texts(body)).toContain(change.startsWith('markdown') ? 'Using it' : 'Operating');
  });
});

describe('a pointer', () => {
  it('reads a section with everything below it, slice by slice', async () => {
    await upload({ 'manual.md': MANUAL });
    const pointer = await pointerOf('manual.md', 'Installing');
    const { status, body } = await read(pointer);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: 'pointer',
      state: 'ready',
      filename: 'manual.md',
      version: 1,
      header_path: ['Manual', 'Installing'],
      continuation: null,
      nearest: null,
    });
    expect(body.text).toBe(MANUAL.slice(body.char_range.start, body.char_range.end));
    expect(body.text).toMatch(/^## Installing[\s\S]*two people\./);
    let text = '';
    let continuation: string | null = '';
    let slices = 0;
    while (continuation !== null) {
      const { body: slice } = await read(
        pointer,
        `?max_tokens=12${continuation === '' ? '' : `&continuation=${continuation}`}`,
      );
      expect(slice.tokens).toBeLessThanOrEqual(20);
      text += slice.text;
      continuation = slice.continuation;
      slices++;
    }
    expect(slices).toBeGreaterThan(2);
    expect(text).toBe(body.text);
    expect((await read(pointer, '?continuation=5.abc')).body.code).toBe('invalid_cursor');
  });

  it('stays valid while its section does not change, and is gone with the nearest heading when it does', async () => {
    await upload({ 'manual.md': MANUAL });
    const [manual, tools, operating, returning] = await Promise.all(
      ['Manual', 'Tools', 'Operating', 'Returning'].map((text) => pointerOf('manual.md', text)),
    );
    const edited = MANUAL.replace('900 kg', '800 kg').replace(/### Tools[\s\S]*two people\.\n\n/, '');
    await put('manual.md', edited);

    const kept = (await read(returning ?? '')).body;
    expect(kept).toMatchObject({ state: 'ready', version: 2 });
    expect(kept.text).toBe(edited.slice(edited.indexOf('## Returning')));
    // its own text did not change; what stands below it is read as it is now
    expect((await read(manual ?? '')).body.text).toContain('800 kg');

    const changed = (await read(operating ?? '')).body;
    expect(changed).toMatchObject({ state: 'gone', text: '', nearest: { text: 'Operating' } });
    expect((await read(changed.nearest.pointer_id)).body.text).toContain('800 kg');
    expect((await read(tools ?? '')).body).toMatchObject({
      state: 'gone',
      nearest: { text: 'Installing', header_path: ['Manual', 'Installing'] },
    });
  });

  it('that never was is not found', async () => {
    await upload({ 'manual.md': MANUAL });
    for (const id of ['outline:manual.md:00000000-00000000', 'nonsense', `chunk:manual.md:-`]) {
      const { status, body } = await read(id);
      expect([id, status, body.code]).toEqual([id, 404, 'pointer_not_found']);
    }
    expect((await read('outline:gone.md:00000000-00000000')).body.code).toBe('file_not_found');
  });

  it('names files with colons and other scripts', async () => {
    const name = 'kran: 手册 😀.md';
    await upload({ [name]: MANUAL });
    const pointer = await pointerOf(name, 'Operating');
    expect((await read(pointer)).body.text).toContain('900 kg');
  });

  it('into a document of astral characters reads what its range says', async () => {
    const text = '# 😀😀\n\nOne 😀.\n\n# Two\n\nThe second 😀 one.\n';
    await upload({ 'faces.md': text });
    const { body } = await read(await pointerOf('faces.md', 'Two'));
    expect(body.text).toBe('# Two\n\nThe second 😀 one.\n');
  });
});

describe('finding sections', () => {
  it('gives pointers to those that bear on the question, best first', async () => {
    await upload({ 'manual.md': MANUAL, 'other.md': '# Other\n\nThe notice period is a year.\n' });
    const { status, body } = await sections('manual.md', { query: 'What is the notice period?', top_k: 2 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: 'sections',
      state: 'ready',
      strategy: 'hybrid',
      version: 1,
      is_stale: false,
    });
    expect(body.latency_ms).toBeGreaterThan(0);
    const [best] = body.pointers;
    expect(best).toMatchObject({
      preview: expect.stringContaining('fourteen days'),
      outline_context: { text: 'Returning', level: 2, header_path: ['Manual', 'Returning'] },
    });
    expect(best.score).toBeGreaterThan(0.3);
    expect(body.pointers.length).toBeLessThanOrEqual(2);
    const { body: hydrated } = await read(best.pointer_id);
    expect(hydrated.text).toContain('fourteen days');
    expect(Math.abs(hydrated.token_estimate - best.token_estimate)).toBeLessThan(5);
  });

  it('keeps what is unlikely out, and to the headings asked for', async () => {
    await upload({ 'manual.md': MANUAL });
    const sure = await sections('manual.md', { query: 'medieval poetry', min_confidence: 0.3 });
    expect(sure.body.pointers).toEqual([]);
    const under = await sections('manual.md', {
      query: 'crane',
      min_confidence: 0,
      filters: { header_path: ['Manual', 'Operating'] },
    });
    const paths = under.body.pointers.map(
      (pointer: { outline_context: { header_path: string[] } }) => pointer.outline_context.header_path,
    );
    expect(paths).toEqual([['Manual', 'Operating']]);
    const nowhere = await sections('manual.md', {
      query: 'crane',
      min_confidence: 0,
      filters: { header_path: ['Operating'] },
    });
    expect(nowhere.body.pointers).toEqual([]);
  });

  it('goes by words and headings while the embedding provider is down', async () => {
    await upload({ 'manual.md': MANUAL });
    embeddingModel.failWith(new EmbeddingError('down', { retryable: true }));
    const found = await sections('manual.md', { query: 'notice period for returning' });
    const none = await sections('manual.md', { query: 'baroque sonnets' });
    embeddingModel.failWith(undefined);
    expect(found.body).toMatchObject({ state: 'offline_fallback', strategy: 'fallback' });
    expect(found.body.pointers[0].outline_context.text).toBe('Returning');
    expect(none.body).toMatchObject({ state: 'offline_no_results', strategy: 'fallback', pointers: [] });
  });

  it('of a section that is too long points at the chunk', async () => {
    const long = Array.from(
      { length: 400 },
      (_, n) => `Entry ${n} tells of machine number ${n} in the hall.`,
    );
    long[310] = 'Entry 310 says that the zeppelin is stored in the attic.';
    await upload({ 'long.md': `# Long\n\n${long.join('\n\n')}\n` });
    const { body } = await sections('long.md', { query: 'Where is the zeppelin stored?', top_k: 1 });
    const [best] = body.pointers;
    expect(best.pointer_id).toMatch(/^chunk:long\.md:/);
    const { body: hydrated } = await read(best.pointer_id);
    expect(hydrated.text).toContain('zeppelin');
    expect(hydrated.tokens).toBeLessThan(1_000);
    await put('long.md', `# Long\n\n${long.join('\n\n').replace('zeppelin is', 'airship is')}\n`);
    expect((await read(best.pointer_id)).body).toMatchObject({ state: 'gone', nearest: { text: 'Long' } });
  });

  it('refuses what makes no sense', async () => {
    await upload({ 'manual.md': MANUAL });
    for (const body of [{}, { query: '  ' }, { query: 'x', top_k: 0 }, { query: 'x', min_confidence: 2 }]) {
      expect((await sections('manual.md', body)).status).toBe(400);
    }
    expect((await sections('nowhere.md', { query: 'x' })).status).toBe(404);
  });
});
