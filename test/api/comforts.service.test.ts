import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';

let forge: TestApp;
beforeAll(async () => {
  forge = await startTestApp();
  for (const [id, name] of [
    ['roi', 'Campaign ROI'],
    ['uebersicht', 'Übersicht 100%'],
    ['second', 'Second campaign'],
  ])
    await forge.call('POST', '/projects', { id, name });
  await forge.upload('roi', {
    'Quokka prices.md': '# Prices\n\nA quokka costs 12 euros.',
    'notes.md': '# Notes\n\nWe met on Monday and spoke of the budget.',
    'broken.json': '{"a": [1, 2',
  });
});
afterAll(() => forge.close());

const idsOf = async (url: string, member = 'id') =>
  (await forge.call('GET', url)).body.data.map((one: Record<string, string>) => one[member]);

describe('projects are narrowed by name', () => {
  it('in whatever case, and by characters that mean nothing of their own', async () => {
    expect(await idsOf('/projects?name=CAMPAIGN')).toEqual(['roi', 'second']);
    expect(await idsOf(`/projects?name=${encodeURIComponent('über')}`)).toEqual(['uebersicht']);
    expect(await idsOf(`/projects?name=${encodeURIComponent('%')}`)).toEqual(['uebersicht']);
    expect(await idsOf('/projects?name=_')).toEqual([]);
  });

  it('page by page, with cursors of the list that was narrowed', async () => {
    const first = await forge.call('GET', '/projects?name=campaign&limit=1');
    expect(first.body).toMatchObject({ has_more: true, data: [{ id: 'roi' }] });
    expect(await idsOf(`/projects?name=campaign&after=${first.body.last_id}`)).toEqual(['second']);
    for (const other of ['/projects?', '/projects?name=second&']) {
      const { status, body } = await forge.call('GET', `${other}after=${first.body.last_id}`);
      expect([status, body.code]).toEqual([400, 'invalid_cursor']);
    }
  });
});

describe('files are narrowed', () => {
  const list = (query: string) => idsOf(`/projects/roi/files?${query}`, 'name');

  it('by what name or summary holds, and by status', async () => {
    expect(await list('q=QUOKKA')).toEqual(['Quokka prices.md']);
    expect(await list('q=budget')).toEqual(['notes.md']);
    expect(await list('q=quokka&status=failed')).toEqual([]);
    expect(await list('status=completed&q=.md')).toEqual(['Quokka prices.md', 'notes.md']);
  });

  it('with cursors of their own', async () => {
    const { body } = await forge.call('GET', '/projects/roi/files?q=.md&limit=1');
    expect(await list(`q=.md&after=${body.last_id}`)).toEqual(['notes.md']);
    const { status } = await forge.call('GET', `/projects/roi/files?after=${body.last_id}`);
    expect(status).toBe(400);
  });
});

describe('a file is waited for', () => {
  it('until it is completed, by parameter or preference', async () => {
    for (const [name, query, prefer] of [
      ['a.md', '?wait=60', {}],
      ['b.md', '', { prefer: 'wait=60' }],
    ] as const) {
      const { status } = await forge.upload('second', { [name]: '# A\n\nText.' }, { prefer: 'wait=0' });
      expect(status).toBe(202);
      const { body } = await forge.call('GET', `/projects/second/files/${name}${query}`, undefined, prefer);
      expect(body.status).toBe('completed');
    }
  });

  it('no longer than an upload is', async () => {
    const { status, body } = await forge.call('GET', '/projects/second/files/a.md?wait=61');
    expect([status, body.errors[0].pointer]).toEqual([400, 'wait']);
  });
});

describe('several files are deleted at once', () => {
  const upload = (...names: string[]) =>
    forge.upload('uebersicht', Object.fromEntries(names.map((name) => [name, `# ${name}\n\nText.`])));
  const remove = (names: string[], headers = {}) =>
    forge.call('POST', '/projects/uebersicht/files:delete', { names }, headers);

  it('with a receipt for each', async () => {
    await upload('1.md', '2.md', '3.md');
    const { status, body } = await remove(['3.md', '1.md', '3.md']);
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: 'files_deletion', deleted: true, count: 2 });
    expect(body.data.map((one: { id: string }) => one.id)).toEqual(['3.md', '1.md']);
    expect(body.data[0].removed).toMatchObject({ files: 1, versions: 1, leaves: 1 });
    expect(await idsOf('/projects/uebersicht/files', 'name')).toEqual(['2.md']);
    const { body: state } = await forge.call('GET', '/projects/uebersicht/state');
    expect((state.state ?? state).file_summaries).toHaveLength(1);
  });

  it('all or none', async () => {
    await upload('4.md');
    const { status, body } = await remove(['4.md', 'no.md', 'nor this.md']);
    expect([status, body.code]).toEqual([404, 'file_not_found']);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/names/1', '/names/2']);
    expect(await idsOf('/projects/uebersicht/files?q=4', 'name')).toEqual(['4.md']);
    expect((await remove([])).status).toBe(400);
  });

  it('once, however often it is asked for with the same key', async () => {
    await upload('5.md');
    const headers = { 'idempotency-key': 'five' };
    const first = await remove(['5.md'], headers);
    await upload('5.md');
    const again = await remove(['5.md'], headers);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(await idsOf('/projects/uebersicht/files?q=5', 'name')).toEqual(['5.md']);
  });
});
