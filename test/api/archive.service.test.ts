import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeEmbeddingModel } from '../fakes/embedding-model.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { manifestOf, sendArchive, unzip } from '../helpers/archive.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { idle } from '../helpers/idle.ts';

// From a service on the embedded database to one on a server where TEST_DATABASE_URL names one, else to another embedded one.

const ARABIC = 'تقرير الربع 📈.md';
const REPORT = [
  '# Churn',
  'Enterprise customers leave after the second renewal.',
  '## Budget',
  'The CFO signs.',
];

let source: TestApp;
let archive: Buffer;

const search = async (forge: TestApp, project: string, query: string) => {
  const { body } = await forge.call('POST', `/projects/${project}/search`, {
    query,
    kinds: ['documents', 'turns'],
    limit: 10,
    min_score: 0,
    explain: true,
  });
  const { latency_ms, ...rest } = body;
  // two databases sum up in another order
  return JSON.parse(JSON.stringify(rest), (_key, value) =>
    typeof value === 'number' ? Number(value.toFixed(4)) : value,
  );
};

const all = async (forge: TestApp, url: string) => (await forge.call('GET', `${url}?limit=100`)).body.data;

beforeAll(async () => {
  source = await startTestApp({ overrides: { db: await openTestDatabase({ embedded: true }) } });
  await source.call('POST', '/projects', { id: 'p', name: 'Prüfung 🧪' });
  await source.upload('p', { 'report.md': REPORT.join('\n\n') });
  await source.upload('p', {
    'report.md': [...REPORT, '## Owners', 'Sales owns the renewals.'].join('\n\n'),
  });
  await source.upload('p', { [ARABIC]: '# الإيرادات\n\nارتفعت الإيرادات في الربع الثالث.' });
  await source.upload('p', { 'broken.docx': Buffer.from('PK\x03\x04 no document') });
  for (const message of [
    'Who signs the budget?',
    'ok',
    'Why do enterprise customers leave?',
    'And in spring?',
  ]) {
    await source.call('POST', '/projects/p/turns', { message });
  }
  await source.call('PATCH', '/projects/p/state', {
    org_context: 'Forty people.',
    assumptions: [{ statement: 'The CFO signs.', confidence: 'informed', impact: 'high' }],
  });
  await idle(source);
  archive = (await source.call('GET', '/projects/p/export')).bytes;
});
afterAll(() => source.close());

describe('an archive', () => {
  it('holds the project, and a manifest with the hash of each entry', async () => {
    const entries = await unzip(archive);
    expect([...entries.keys()]).toEqual([
      'project.json',
      'state.json',
      'assumptions.json',
      'usage.json',
      'files.jsonl',
      'turns.jsonl',
      'turn_events.jsonl',
      'turn_summaries.jsonl',
      'leaf_contexts.jsonl',
      'originals/1/1/report.md',
      'markdown/1/1.md',
      'originals/1/2/report.md',
      'markdown/1/2.md',
      `originals/2/1/${ARABIC}`,
      'markdown/2/1.md',
      'originals/3/1/broken.docx',
      'vectors.jsonl',
      'manifest.json',
    ]);
    const manifest = manifestOf(entries);
    expect(manifest).toMatchObject({
      format: 'forge-project-archive',
      format_version: 1,
      project: { id: 'p', name: 'Prüfung 🧪' },
      embedding: { model: 'fake', dimensions: 512 },
      counts: { files: 3, versions: 4, turns: 4 },
    });
    expect(manifest.entries.map(({ path }) => path)).toEqual([...entries.keys()].slice(0, -1));
    expect(entries.get('originals/1/1/report.md')?.toString()).toBe(REPORT.join('\n\n'));
  });

  it('leaves the vectors out when it is asked to', async () => {
    const { bytes, headers } = await source.call('GET', '/projects/p/export?vectors=false');
    expect(headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': expect.stringMatching(/^attachment; filename="?p.zip"?$/),
    });
    const entries = await unzip(bytes);
    expect(entries.has('vectors.jsonl')).toBe(false);
    expect(manifestOf(entries).embedding).toBeNull();
  });

  it('is of a project that there is', async () => {
    expect((await source.call('GET', '/projects/none/export')).body.code).toBe('project_not_found');
    expect((await source.app.inject({ method: 'HEAD', url: '/projects/p/export' })).statusCode).toBe(200);
  });
});

describe('an import', () => {
  const embeddingModel = fakeEmbeddingModel();
  let target: TestApp;
  let answer: Awaited<ReturnType<typeof sendArchive>>;
  beforeAll(async () => {
    target = await startTestApp({ overrides: { embeddingModel } });
    answer = await sendArchive(target, archive);
    await idle(target);
  });
  afterAll(() => target.close());

  it('says what it made', () => {
    expect(answer).toMatchObject({
      status: 201,
      headers: { location: '/projects/p' },
      body: {
        object: 'project_import',
        project: { id: 'p', name: 'Prüfung 🧪', turn_count: 4 },
        imported: { files: 3, versions: 4, turns: 4, turn_summaries: 4 },
        ignored: [],
        pending_files: 0,
      },
    });
  });

  it('pays for no embedding and no summary', async () => {
    expect(embeddingModel.calls.flat().filter((text) => text.startsWith('[Source:'))).toEqual([]);
    const usage = async (forge: TestApp) => (await forge.call('GET', '/projects/p/usage')).body.entries;
    expect(await usage(target)).toEqual(await usage(source));
  });

  it('leaves state, turns, receipts and events as they were', async () => {
    for (const url of ['/projects/p/state', '/projects/p/turns/3', '/projects/p/turns/3/context']) {
      const [before, after] = [await source.call('GET', url), await target.call('GET', url)];
      expect(after.body).toEqual(before.body);
    }
    expect(await all(target, '/projects/p/turns')).toEqual(await all(source, '/projects/p/turns'));
    const events = (forge: TestApp) =>
      forge.call('GET', '/projects/p/turns/3/events', undefined, { accept: 'text/event-stream' });
    expect((await events(target)).text).toBe((await events(source)).text);
  });

  it('finds the same with the same scores', async () => {
    for (const query of ['Who signs the budget?', 'renewals of enterprise customers', 'الإيرادات']) {
      const before = await search(source, 'p', query);
      expect(before.data.length).toBeGreaterThan(0);
      expect(await search(target, 'p', query)).toEqual(before);
    }
  });

  it('has the files with their versions, leaves and failures', async () => {
    const times = /_at$/;
    const shown = (files: Record<string, unknown>[]) =>
      files.map((file) => Object.fromEntries(Object.entries(file).filter(([key]) => !times.test(key))));
    const before = await all(source, '/projects/p/files');
    const after = await all(target, '/projects/p/files');
    expect(shown(after)).toEqual(shown(before).map((file) => ({ ...file, attempt: expect.any(Number) })));
    expect(after.map((file: { uploaded_at: string }) => file.uploaded_at)).toEqual(
      before.map((file: { uploaded_at: string }) => file.uploaded_at),
    );
    const leaves = '/projects/p/files/report.md/leaves';
    expect(await all(target, leaves)).toEqual(await all(source, leaves));
    const first = await target.call('GET', '/projects/p/files/report.md/content?version=1');
    expect(first.text).toBe(REPORT.join('\n\n'));
    const markdown = '/projects/p/files/report.md/markdown?version=1';
    expect((await target.call('GET', markdown)).text).toBe((await source.call('GET', markdown)).text);
    const retried = await target.call('POST', '/projects/p/files/broken.docx/retry');
    expect(retried.status).toBe(202);
  });

  it('goes on: another turn, another version', async () => {
    const turn = await target.call('POST', '/projects/p/turns', { message: 'Who owns the renewals?' });
    expect(turn.body).toMatchObject({ turn_number: 5, status: 'completed' });
    const file = await target.upload('p', { 'report.md': '# Churn\n\nNobody leaves any more.' });
    expect(file.body).toMatchObject({ version: 3, status: 'completed' });
  });
});
