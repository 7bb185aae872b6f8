import { expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { rebuilt, sendArchive, unzip } from '../helpers/archive.ts';
import { harbour, passagesOf, placed } from '../helpers/context-requests.ts';
import { contextBenches } from '../helpers/contexts.ts';

const bench = contextBenches();

/** In three calls: ten leaves, ten, and five. */
const SECTIONS = 25;
const READY = { state: 'ready', leaves: SECTIONS, last_error: null };

it('project and upload have the last word, and what is there changes only when it is asked for', async () => {
  const { put, forge, ...b } = await bench(placed, { settings: { CONTEXTUAL: 'off' } });
  await put('harbour.md', harbour(SECTIONS));
  expect(await b.contexts('harbour.md')).toEqual({ state: 'none', leaves: 0, last_error: null });
  const project = async (contextual: boolean | null) =>
    (await forge.call('PATCH', '/projects/p', { contextual })).body;
  expect(await project(true)).toMatchObject({ name: 'P', contextual: true });
  await forge.settle();
  expect(b.asked).toHaveLength(0);

  const dry = await b.apply({ dry_run: true });
  expect(dry).toMatchObject({
    status: 200,
    body: {
      dry_run: true,
      written: [{ name: 'harbour.md', leaves: SECTIONS, calls: 3 }],
      removed: [],
      estimate: { model: 'claude-haiku-5-5', leaves: SECTIONS, calls: 3 },
    },
  });
  await forge.settle();
  expect(b.asked).toHaveLength(0);
  expect(await b.apply()).toMatchObject({ status: 202, body: { ...dry.body, dry_run: false } });
  await forge.settle();
  expect(b.asked).toHaveLength(3);
  expect(await b.contexts('harbour.md')).toEqual(READY);
  expect((await b.apply()).body).toMatchObject({ written: [], removed: [] });

  // a file's own word goes before its project's; the same bytes bring it alone
  await put('notes.md', '# Notes\n\nNothing of note.', '&contextual=false');
  expect(await b.file('notes.md')).toMatchObject({ contextual: false, contexts: { state: 'none' } });
  const again = await put('notes.md', '# Notes\n\nNothing of note.', '&contextual=true');
  expect(again.headers['upload-result']).toBe('unchanged');
  expect(await b.file('notes.md')).toMatchObject({
    version: 1,
    contextual: true,
    contexts: { state: 'ready' },
  });
  const calls = b.asked.length;

  expect(await project(false)).toMatchObject({ contextual: false });
  expect((await b.words('archipelago quay 9'))[0]?.text).toContain('quay 9');
  expect((await b.apply()).body).toMatchObject({ written: [], removed: ['harbour.md'] });
  await forge.settle();
  expect(b.asked).toHaveLength(calls);
  expect(await b.contexts('harbour.md')).toEqual({ state: 'none', leaves: 0, last_error: null });
  expect(await b.vectors()).toEqual({ with: 1, without: SECTIONS });
  expect((await b.words('archipelago')).map(({ text }) => text)).toEqual([expect.stringContaining('Notes')]);
  expect((await forge.call('PATCH', '/projects/p', {})).status).toBe(400);
});

it('is refused without a language model, and costs nothing where it is off', async () => {
  expect(() => readConfig({ CONTEXTUAL: 'on' })).toThrow(/CONTEXTUAL: needs a language model/);
  const { forge, put } = await bench(placed, {
    settings: { CONTEXTUAL: 'off', LLM_PROVIDER: 'offline' },
  });
  const refused = { status: 409, body: { code: 'contexts_unavailable' } };
  expect(await put('harbour.md', harbour(2), '&contextual=true')).toMatchObject(refused);
  expect(await put('harbour.md', harbour(2), '&contextual=true&dry_run=true')).toMatchObject(refused);
  expect(await forge.call('PATCH', '/projects/p', { contextual: true })).toMatchObject(refused);
  expect((await put('harbour.md', harbour(2))).body).toMatchObject({ contexts: { state: 'none' } });
  expect((await forge.call('POST', '/projects/p/files:contexts', {})).body).toMatchObject({
    written: [],
    removed: [],
    estimate: { calls: 0, cost_usd: 0 },
  });
});

it('an archive takes them along, and an import pays for nothing', async () => {
  const { put, forge, ...b } = await bench();
  await put('harbour.md', harbour(SECTIONS));
  await put('notes.md', '# Notes\n\nNothing of note.', '&contextual=false');
  const archive = await forge.call('GET', '/projects/p/export');
  await forge.call('PATCH', '/projects/p', { name: 'P' });
  const before = [b.asked.length, b.embeddings.calls.flat().length];
  const copy = await forge.app.inject({
    method: 'POST',
    url: '/projects:import?id=copy',
    headers: { 'content-type': 'application/zip', prefer: 'wait=60' },
    payload: archive.bytes,
  });
  expect(copy.statusCode).toBe(201);
  await forge.settle();
  const at = async (path: string) => (await forge.call('GET', `/projects/copy/files/${path}`)).body;
  expect((await at('harbour.md')).contexts).toEqual(READY);
  const leaves = (await at('harbour.md/leaves?limit=100')).data;
  expect(leaves).toEqual(await b.leaves('harbour.md'));
  const { body } = await forge.call('POST', '/projects/copy/search', {
    query: 'archipelago quay 9',
    mode: 'lexical',
    min_score: 0,
  });
  expect(body.data[0].text).toContain('quay 9');
  // nor do the notes get one, which were to have none
  expect((await at('notes.md')).contextual).toBe(false);
  expect(b.asked.slice(before[0]).flatMap(passagesOf)).toEqual([]);
  const again = b.embeddings.calls.flat().slice(before[1]);
  expect(again.filter((text) => text.includes('harbour.md'))).toEqual([]);
});

it.each([
  ['opted out', false, 'on'],
  ['opted in', true, 'off'],
])('a project that has %s has so where it is imported', async (_, contextual, CONTEXTUAL) => {
  const { put, forge, ...b } = await bench(placed, { settings: { CONTEXTUAL } });
  await forge.call('PATCH', '/projects/p', { contextual });
  await put('harbour.md', harbour(SECTIONS));
  await put('notes.md', '# Notes\n\nNothing of note.', `&contextual=${!contextual}`);
  const before = b.asked.length;
  expect(before).toBe(contextual ? 3 : 1);
  const archive = (await forge.call('GET', '/projects/p/export')).bytes;
  const imported = async (id: string, payload: Buffer) => {
    expect(await sendArchive(forge, payload, { query: `?id=${id}` })).toMatchObject({ status: 201 });
    await forge.settle();
    const of = async (path: string) => (await forge.call('GET', `/projects/${id}${path}`)).body.contextual;
    return [await of(''), await of('/files/harbour.md'), await of('/files/notes.md')];
  };
  expect(await imported('copy', archive)).toEqual([contextual, null, !contextual]);
  expect((await forge.call('POST', '/projects/copy/files:contexts', { dry_run: true })).body).toMatchObject({
    written: [],
    removed: [],
  });
  expect(b.asked).toHaveLength(before);

  // archives of before contexts say nothing of them
  const entries = await unzip(archive);
  const without = (name: string) =>
    (entries.get(name)?.toString() ?? '').replace(/,\s*"contextual": ?(true|false|null)/g, '');
  const older = await rebuilt(archive, {
    'project.json': without('project.json'),
    'files.jsonl': without('files.jsonl'),
  });
  expect(await imported('older', older)).toEqual([null, null, null]);
});

it('is not begun where a workspace has no room for a call', async () => {
  const { put, ...b } = await bench((request) => placed(request), {
    settings: { QUOTA_TOKENS_PER_MONTH: '25500' },
  });
  await put('harbour.md', harbour(SECTIONS));
  expect(await b.contexts('harbour.md')).toMatchObject({
    state: 'failed',
    leaves: 0,
    last_error: { code: 'quota_exceeded' },
  });
  expect(b.asked).toHaveLength(0);
  expect(await b.file('harbour.md')).toMatchObject({ status: 'completed' });
});
