import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddingError } from '../../src/embeddings/model.ts';
import { createFakeEmbeddingModel } from '../fakes/embedding-model.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { MANUAL, outlineCalls } from '../helpers/outline-calls.ts';

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
  project = `sections-${++count}`;
  await forge.call('POST', '/projects', { id: project, name: 'Outlines' });
});

const { sections, read, put, upload, pointerOf } = outlineCalls(() => ({ forge, project }));

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
