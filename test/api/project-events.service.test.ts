import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ProjectEvent, projectEventListSchema } from '../../src/contract/project-event.ts';
import type { Database } from '../../src/db/database.ts';
import { createEventFeed } from '../../src/services/events/feed.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';

let forge: TestApp;
let url: string;
beforeAll(async () => {
  forge = await startTestApp();
  url = await forge.app.listen({ port: 0 });
});
afterAll(() => forge.close());

/** All that a project has told, read page by page. */
async function told(place: string, limit = 1_000): Promise<ProjectEvent[]> {
  const events: ProjectEvent[] = [];
  for (let after = 0; ; ) {
    const { body } = await forge.call('GET', `${place}/events?after=${after}&limit=${limit}`);
    const page = projectEventListSchema.strict().parse(body);
    events.push(...page.data);
    if (!page.has_more) return events;
    after = page.last_id;
  }
}
const typesOf = (events: readonly ProjectEvent[]) => events.map(({ type }) => type);

/** Reads an event stream until it has had so many events, or has ended. */
async function listen(
  address: string,
  most: number,
  options: { headers?: Record<string, string>; onOpen?: () => unknown } = {},
): Promise<{ id: number; event: string; data: ProjectEvent }[]> {
  const controller = new AbortController();
  const response = await fetch(`${url}${address}`, {
    headers: { accept: 'text/event-stream', ...options.headers },
    signal: controller.signal,
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  void options.onOpen?.();
  const found: { id: number; event: string; data: ProjectEvent }[] = [];
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, id, event, data] = /^id: (\d+)\nevent: (\S+)\ndata: (.*)$/s.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      if (id && event && data) found.push({ id: Number(id), event, data: JSON.parse(data) });
    }
    if (found.length >= most) break;
  }
  controller.abort();
  return found;
}

describe('the feed of a project', () => {
  it('tells of all that changes, in order, with the address of each', async () => {
    await forge.call('POST', '/projects', { id: 'all', name: 'All' });
    await forge.upload('all', { 'a b.md': '# Quokka\n\nA quokka costs 12 euros.' });
    await forge.settle();
    await forge.call('PATCH', '/projects/all/files/a%20b.md', { name: 'c.md' });
    await forge.upload('all', { 'c.md': '# Quokka\n\nA quokka costs 13 euros.' });
    await forge.settle();
    await forge.call('POST', '/projects/all/turns', { message: 'What does a quokka cost?' });
    await forge.call('POST', '/projects/all/research', { question: 'What does a quokka cost?' });
    await forge.call('PATCH', '/projects/all', { name: 'Everything' });
    await forge.settle();
    await forge.call('DELETE', '/projects/all/files/c.md');
    const events = await told('/projects/all');
    const seen = typesOf(events).filter((type) => type !== 'state.changed');
    expect(seen.slice(0, 7)).toEqual([
      'project.created',
      'file.created',
      'file.started',
      'file.outlined',
      'file.searchable',
      'file.summarized',
      'file.completed',
    ]);
    expect(seen).toEqual(
      expect.arrayContaining(['file.renamed', 'file.version_created', 'turn.started', 'turn.completed']),
    );
    expect(seen).toEqual(expect.arrayContaining(['run.started', 'run.completed', 'project.renamed']));
    expect(seen.at(-1)).toBe('file.deleted');
    const ids = events.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    const created = events.find(({ type }) => type === 'file.created');
    expect(created).toMatchObject({
      project_id: 'all',
      data: { name: 'a b.md', version: 1 },
      url: '/projects/all/files/a%20b.md',
    });
    expect(events.find(({ type }) => type === 'file.renamed')?.data).toEqual({
      name: 'c.md',
      version: 1,
      previous_name: 'a b.md',
    });
    for (const { type, url: address } of events) {
      if (type.startsWith('file.')) continue;
      expect([type, (await forge.call('GET', address)).status]).toEqual([type, 200]);
    }
    expect(JSON.stringify(events)).not.toMatch(/quokka|12 euros/i);
  });

  it('is read page by page, each event once', async () => {
    const whole = await told('/projects/all');
    expect(await told('/projects/all', 3)).toEqual(whole);
    const { body } = await forge.call('GET', '/projects/all/events?after=now');
    expect(body).toEqual({
      object: 'list',
      data: [],
      has_more: false,
      is_trimmed: false,
      last_id: whole.at(-1)?.id,
    });
  });

  it('tells of nothing that was not done', async () => {
    await forge.call('POST', '/projects', { id: 'none', name: 'None' });
    await forge.call('PATCH', '/projects/none/state', { skeleton: { nonsense: 1 } });
    await forge.call('PATCH', '/projects/none', { name: 'None' });
    expect(typesOf(await told('/projects/none'))).toEqual(['project.created']);
    expect((await forge.call('GET', '/projects/nowhere/events')).body.code).toBe('project_not_found');
    for (const after of ['x', '', '0x10', '1e3']) {
      const { status, body } = await forge.call('GET', `/projects/none/events?after=${after}`);
      expect([after, status, body.errors?.[0].pointer]).toEqual([after, 400, 'after']);
    }
  });

  it('tells of a turn and a file that failed or were cancelled', async () => {
    await forge.call('POST', '/projects', { id: 'bad', name: 'Bad' });
    await forge.upload('bad', { 'broken.docx': 'PK no archive' });
    await forge.settle();
    const types = typesOf(await told('/projects/bad'));
    expect(types.filter((type) => type.startsWith('file.'))).toEqual([
      'file.created',
      'file.started',
      'file.failed',
    ]);
  });

  it('goes with its project, and an import tells nothing before it has ended', async () => {
    await forge.call('POST', '/projects', { id: 'gone', name: 'Gone' });
    await forge.upload('gone', { 'a.md': '# A\n\nText.' });
    await forge.settle();
    const archive = await forge.call('GET', '/projects/gone/export');
    await forge.call('DELETE', '/projects/gone');
    const { rows } = await forge.db.query(`select from project_events where project_id = 'gone'`);
    expect(rows).toHaveLength(0);
    const imported = await forge.app.inject({
      method: 'POST',
      url: '/projects:import?id=back',
      headers: { 'content-type': 'application/zip' },
      payload: archive.bytes,
    });
    expect(imported.statusCode).toBeLessThan(300);
    const id = imported.json().id ?? imported.json().project?.id;
    await forge.settle();
    const types = typesOf(await told(`/projects/${id}`));
    expect(types[0]).toBe('project.created');
    expect(types).toContain('file.completed');
  });

  it('is there for the library, too', async () => {
    expect(await told('/library')).toEqual([]);
    await forge.uploadToLibrary({ 'shared.md': '# Shared\n\nFor all.' });
    const events = await told('/library');
    expect(events.find(({ type }) => type === 'file.created')).toMatchObject({
      project_id: null,
      url: '/library/files/shared.md',
    });
  });
});

describe('a stream of the feed', () => {
  const create = (id: string) => forge.call('POST', '/projects', { id, name: id });
  const rename = (id: string, name: string) => forge.call('PATCH', `/projects/${id}`, { name });

  it('tells what there is, then what comes', async () => {
    await create('live');
    const events = await listen('/projects/live/events', 3, {
      onOpen: async () => {
        await rename('live', 'one');
        await rename('live', 'two');
      },
    });
    expect(events.map(({ event }) => event)).toEqual([
      'project.created',
      'project.renamed',
      'project.renamed',
    ]);
    expect(events.map(({ data }) => data)).toEqual(await told('/projects/live'));
    expect(events.every(({ id, data }) => id === data.id)).toBe(true);
  });

  it('goes on where it was left, and misses nothing', async () => {
    await create('resumed');
    const [first] = await listen('/projects/resumed/events', 1);
    await rename('resumed', 'while nobody listens');
    const rest = await listen('/projects/resumed/events', 2, {
      headers: { 'last-event-id': String(first?.id) },
      onOpen: () => rename('resumed', 'while somebody does'),
    });
    expect([first, ...rest].map((event) => event?.data)).toEqual(await told('/projects/resumed'));
  });

  it('may begin with what comes from now on', async () => {
    await create('later');
    const events = await listen('/projects/later/events?after=now', 1, {
      onOpen: () => rename('later', 'new'),
    });
    expect(events.map(({ event }) => event)).toEqual(['project.renamed']);
  });

  it('says at once where it begins, so that a break before its first event loses nothing', async () => {
    await create('early');
    const controller = new AbortController();
    const { body } = await fetch(`${url}/projects/early/events?after=now`, {
      headers: { accept: 'text/event-stream' },
      signal: controller.signal,
    });
    const begun = await body?.getReader().read();
    controller.abort();
    const id = /^id: (\d+)\n\n/m.exec(new TextDecoder().decode(begun?.value))?.[1] ?? '';
    await rename('early', 'while nobody listens');
    const events = await listen('/projects/early/events?after=now', 1, {
      headers: { 'last-event-id': id },
      onOpen: () => rename('early', 'while somebody does'),
    });
    expect(events[0]?.data).toEqual((await told('/projects/early'))[1]);
  });

  it('ends when its project is deleted', async () => {
    await create('ending');
    const events = await listen('/projects/ending/events', 5, {
      onOpen: () => forge.call('DELETE', '/projects/ending'),
    });
    expect(events.at(-1)?.event).toBe('project.deleted');
  });
});

it('a stream waits out a database that is away for a moment', async () => {
  let away = 0;
  const shaky: Database = {
    ...forge.db,
    async query(sql, params) {
      if (away > 0 && sql.includes('from project_events')) {
        away -= 1;
        throw new Error('gone for a moment');
      }
      return forge.db.query(sql, params);
    },
  };
  const log = { info: () => undefined, warn: () => undefined };
  const feed = createEventFeed({ db: shaky, system: shaky, log });
  await forge.call('POST', '/projects', { id: 'shaky', name: 'one' });
  const scope = { workspaceId: 'default', projectId: 'shaky' };
  const end = new AbortController();
  const events = feed.follow(scope, 0, end.signal);
  away = 3;
  expect((await events.next()).value).toMatchObject({ type: 'project.created' });
  away = 3;
  await forge.call('PATCH', '/projects/shaky', { name: 'two' });
  expect((await events.next()).value).toMatchObject({ type: 'project.renamed' });
  expect(away).toBe(0);
  end.abort();
  await events.next();
});
