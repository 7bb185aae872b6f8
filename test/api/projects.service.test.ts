import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';

let forge: TestApp;
beforeAll(async () => {
  forge = await startTestApp();
});
afterAll(() => forge.close());

describe('creating a project', () => {
  it('makes the id from the name', async () => {
    const { status, body, headers } = await forge.call('POST', '/projects', {
      name: 'Campaign ROI: Analyse für Q3',
    });
    expect(status).toBe(201);
    expect(headers.location).toBe('/projects/campaign-roi-analyse-fur-q3');
    expect(body).toMatchObject({
      object: 'project',
      id: 'campaign-roi-analyse-fur-q3',
      name: 'Campaign ROI: Analyse für Q3',
      turn_count: 0,
      active_mode: 'discovery',
    });
    expect((await forge.call('GET', String(headers.location))).body).toEqual(body);
  });

  it('gives a second project of the same name an id of its own', async () => {
    const first = await forge.call('POST', '/projects', { name: 'Twice' });
    const second = await forge.call('POST', '/projects', { name: 'Twice' });
    expect(first.body.id).toBe('twice');
    expect(second.body.id).toMatch(/^twice-[0-9a-f]{6}$/);
  });

  it('finds an id for a name that has no Latin letters', async () => {
    const { status, body } = await forge.call('POST', '/projects', { name: '市场分析' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: '市场分析', id: expect.stringMatching(/^project-[0-9a-f]{8}$/) });
  });

  it('refuses an id that is taken', async () => {
    await forge.call('POST', '/projects', { id: 'mine', name: 'Mine' });
    const { status, body } = await forge.call('POST', '/projects', { id: 'mine', name: 'Mine too' });
    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: 'project_exists',
      retryable: false,
      type: '/problems/project_exists',
    });
  });

  it.each([
    [{ name: '' }, '/name'],
    [{ name: 'x'.repeat(201) }, '/name'],
    [{ name: 'x', id: 'Not A Slug' }, '/id'],
    [{}, '/name'],
    [{ name: 7 }, '/name'],
  ])('refuses %j and names the field', async (body, pointer) => {
    const answer = await forge.call('POST', '/projects', body);
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(answer.body.code).toBe('invalid_request');
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  });

  it('refuses a body that is not JSON', async () => {
    const response = await forge.app.inject({
      method: 'POST',
      url: '/projects',
      headers: { 'content-type': 'application/json' },
      payload: '{"name": ',
    });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ code: 'invalid_json' });
  });

  it('refuses a JSON body over the limit', async () => {
    const { status, body } = await forge.call('POST', '/projects', { name: 'x'.repeat(1_100_000) });
    expect(status).toBe(413);
    expect(body.code).toBe('body_too_large');
  });

  it('drops NUL bytes from the name', async () => {
    const { body } = await forge.call('POST', '/projects', { name: 'a\u0000b' });
    expect(body.name).toBe('ab');
  });
});

describe('listing projects', () => {
  it('goes through all of them page by page, both ways, whatever is added meanwhile', async () => {
    for (let n = 0; n < 5; n++) await forge.call('POST', '/projects', { id: `page-${n}`, name: `Page ${n}` });
    const ids: string[] = [];
    let url = '/projects?limit=2';
    for (;;) {
      const { body } = await forge.call('GET', url);
      ids.push(...body.data.map((project: { id: string }) => project.id));
      if (!body.has_more) break;
      if (ids.length === 2) await forge.call('POST', '/projects', { id: 'page-late', name: 'Late' });
      url = `/projects?limit=2&after=${body.last_id}`;
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.slice(-6)).toEqual(['page-0', 'page-1', 'page-2', 'page-3', 'page-4', 'page-late']);

    const newest = (await forge.call('GET', '/projects?limit=2&order=desc')).body;
    expect(newest.data.map((project: { id: string }) => project.id)).toEqual(['page-late', 'page-4']);
    const before = (await forge.call('GET', `/projects?limit=2&order=desc&after=${newest.last_id}`)).body;
    expect(before.data.map((project: { id: string }) => project.id)).toEqual(['page-3', 'page-2']);
    const back = (await forge.call('GET', `/projects?limit=2&order=desc&before=${before.first_id}`)).body;
    expect(back.data).toEqual(newest.data);
  });

  it.each(['after=nonsense', 'before=%00', 'limit=0', 'limit=101', 'limit=x', 'order=up'])(
    'refuses %s',
    async (query) => {
      const { status } = await forge.call('GET', `/projects?${query}`);
      expect(status).toBe(400);
    },
  );
});

it('renames a project', async () => {
  await forge.call('POST', '/projects', { id: 'old-name', name: 'Old' });
  const { status, body } = await forge.call('PATCH', '/projects/old-name', { name: 'New' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ id: 'old-name', name: 'New' });
});

it('deletes a project with everything in it, and counts what that was', async () => {
  await forge.call('POST', '/projects', { id: 'doomed', name: 'Doomed' });
  await forge.upload('doomed', { 'a.md': '# One\n\nCanary quixotic text.\n\n# Two\n\nMore.' });
  await forge.call('POST', '/projects/doomed/turns', { message: 'Where is the quixotic canary mentioned?' });
  const { status, body } = await forge.call('DELETE', '/projects/doomed');
  expect(status).toBe(200);
  expect(body).toMatchObject({ object: 'deletion', id: 'doomed', deleted: true });
  expect(body.removed).toMatchObject({ files: 1, versions: 1, turns: 1 });
  expect(body.removed.leaves).toBeGreaterThan(0);
  expect(body.removed.vectors).toBe(body.removed.leaves);
  expect((await forge.call('GET', '/projects/doomed')).status).toBe(404);

  const { rows: tables } = await forge.db.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
    [],
  );
  for (const { name } of tables) {
    const { rows } = await forge.db.query(`select 1 from ${name} t where t::text ilike '%quixotic%'`, []);
    expect(rows, name).toEqual([]);
  }
});

it.each([
  ['GET', '/projects/none'],
  ['PATCH', '/projects/none'],
  ['DELETE', '/projects/none'],
  ['GET', '/projects/none/state'],
  ['GET', '/projects/none/files'],
  ['GET', '/projects/none/turns'],
  ['GET', '/projects/%00'],
] as const)('answers 404 to %s %s', async (method, url) => {
  const { status, body } = await forge.call(method, url, method === 'PATCH' ? { name: 'x' } : undefined);
  expect(status).toBe(404);
  expect(body).toMatchObject({ code: 'project_not_found', instance: url });
});
