import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { connectMcp } from '../helpers/mcp.ts';
import { createTenants } from '../helpers/tenants.ts';

let forge: TestApp;
let tenants: Awaited<ReturnType<typeof createTenants>>;
let acme: object;
let url: string;

const set = (quotas: object, id = 'acme') =>
  forge.call('PATCH', `/workspaces/${id}`, { quotas }, tenants.service);
const usage = async () => (await forge.call('GET', '/usage', undefined, acme)).body;
const NONE = {
  projects: null,
  files: null,
  bytes: null,
  keys: null,
  tokens_per_month: null,
  usd_per_month: null,
};
const text = (length: number): string => `# Quokka\n\n${'q'.repeat(length - 11)}\n`.slice(0, length);

beforeAll(async () => {
  forge = await startTestApp({ settings: { QUOTA_PROJECTS: '3' } });
  tenants = await createTenants(forge, ['acme', 'other']);
  acme = tenants.of('acme');
  url = await forge.app.listen({ host: '127.0.0.1', port: 0 });
  await forge.call('POST', '/projects', { id: 'p', name: 'P' }, acme);
});
afterAll(() => forge.close());
beforeEach(() => set(NONE));

describe('quotas of a workspace', () => {
  it('are as the service is set, or of its own', async () => {
    expect((await set({ projects: 'default', bytes: 1_000 })).body.quotas).toEqual({
      ...NONE,
      projects: 3,
      bytes: 1_000,
    });
    const shown = await forge.call('GET', '/workspaces/acme', undefined, tenants.service);
    expect(shown.body.usage).toMatchObject({
      bytes: { used: 0, limit: 1_000 },
      projects: { used: 1, limit: 3 },
    });
    expect((await usage()).keys).toEqual({ used: 1, limit: null });
    expect((await set({ bytes: -1 })).body.code).toBe('invalid_request');
    expect((await set({ bites: 1 })).body.code).toBe('invalid_request');
    expect((await set({ bytes: 1 }, 'none')).body.code).toBe('workspace_not_found');
    const own = await forge.call('PATCH', '/workspaces/acme', { quotas: {} }, acme);
    expect(own.body.code).toBe('scope_required');
  });

  it('hold for projects and keys, and for no other workspace', async () => {
    await set({ projects: 1, keys: 1 });
    const project = await forge.call('POST', '/projects', { name: 'More' }, acme);
    expect(project.status).toBe(403);
    expect(project.body).toMatchObject({
      code: 'quota_exceeded',
      retryable: false,
      quota: 'projects',
      used: 2,
      limit: 1,
      resets_at: null,
    });
    const key = await forge.call('POST', '/keys', { name: 'More', scopes: ['read'] }, acme);
    expect(key.body).toMatchObject({ code: 'quota_exceeded', quota: 'keys' });
    expect((await forge.call('POST', '/projects', { name: 'Q' }, tenants.of('other'))).status).toBe(201);
    expect(await usage()).toMatchObject({ projects: { used: 1 }, keys: { used: 1 } });
  });

  it('let no two uploads at once go beyond', async () => {
    const before = (await usage()).bytes.used;
    await set({ bytes: before + 250 });
    const uploads = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((name) =>
        forge.upload('p', { [`${name}.md`]: text(100) }, { ...acme, prefer: 'respond-async' }),
      ),
    );
    expect(uploads.map(({ status }) => status).sort()).toEqual([202, 202, 403, 403, 403]);
    const { bytes } = await usage();
    expect(bytes).toEqual({ used: before + 200, limit: before + 250 });
    const library = await forge.uploadToLibrary({ 'a.md': text(100) }, acme);
    expect(library.body).toMatchObject({ code: 'quota_exceeded', quota: 'bytes' });
  });

  it('hold for several files of one upload together: all are stored, or none', async () => {
    const before = await usage();
    const room = { bytes: before.bytes.used + 250, files: before.files.used + 2 };
    await set(room);
    const many = { 'one.md': text(100), 'two.md': text(110), 'three.md': text(120) };
    const refused = await forge.upload('p', many, acme);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ code: 'quota_exceeded' });
    expect(await usage()).toMatchObject({
      bytes: { used: before.bytes.used },
      files: { used: before.files.used },
    });

    // what is refused by itself takes no room, and the same bytes of a name once
    const stored = await forge.upload('p', { 'one.md': text(100), 'x.exe': 'MZ', 'two.md': text(110) }, acme);
    expect(stored.body.data.map(({ status }: { status: number }) => status)).toEqual([201, 415, 201]);
    const again = await forge.upload('p', { 'one.md': text(100), 'two.md': text(110) }, acme);
    expect(again.status).toBe(200);
    for (const name of ['one.md', 'two.md'])
      await forge.call('DELETE', `/projects/p/files/${name}`, undefined, acme);
  });

  it('hold for several uploads of several files at once: each is stored as a whole, or not at all', async () => {
    const before = await usage();
    await set({ bytes: before.bytes.used + 400, files: null });
    const pairs = ['a', 'b', 'c'].map((name) => [`${name}1.md`, `${name}2.md`]);
    const uploads = await Promise.all(
      pairs.map((names) =>
        forge.upload('p', Object.fromEntries(names.map((name) => [name, text(130)])), {
          ...acme,
          prefer: 'respond-async',
        }),
      ),
    );
    expect(uploads.map(({ status }) => status).sort()).toEqual([202, 403, 403]);
    expect((await usage()).bytes.used).toBe(before.bytes.used + 260);
    // nothing is held any more
    expect((await forge.upload('p', { 'rest.md': text(140) }, acme)).status).toBe(201);
    for (const name of [...(pairs[uploads.findIndex(({ status }) => status === 202)] ?? []), 'rest.md'])
      await forge.call('DELETE', `/projects/p/files/${name}`, undefined, acme);
  });

  it('count files once, whatever versions they have', async () => {
    await forge.upload('p', { 'once.md': text(50) }, acme);
    const { used } = (await usage()).files;
    await set({ files: used });
    expect((await forge.upload('p', { 'once.md': text(60) }, acme)).status).toBe(201);
    expect((await forge.upload('p', { 'twice.md': text(60) }, acme)).body.code).toBe('quota_exceeded');
  });

  it('hold for a project that is imported', async () => {
    await forge.settle();
    const archive = await forge.call('GET', '/projects/p/export', undefined, acme);
    const bring = () =>
      forge.app.inject({
        method: 'POST',
        url: '/projects:import?id=again',
        headers: { ...acme, 'content-type': 'application/zip' },
        payload: archive.bytes,
      });
    const { bytes } = await usage();
    await set({ bytes: bytes.used + 10 });
    expect((await bring()).json()).toMatchObject({ code: 'quota_exceeded', quota: 'bytes' });
    await set({ bytes: 3 * bytes.used });
    expect((await bring()).statusCode).toBeLessThan(300);
  });
});

describe('what a workspace may spend', () => {
  const spend = (month: string) =>
    forge.db.query(
      `insert into spending values ('acme', date_trunc('month', now() at time zone 'utc' + $1::interval)::date, 'gone',
         'claude-sonnet-5-5', 1, 100000, 0, 0, 1000)
       on conflict do nothing`,
      [month],
    );

  it('refuses turns, research, searches and uploads when the month is used up, and says until when', async () => {
    await spend('0');
    await spend('-1 month');
    const spent = (await usage()).tokens_per_month.used;
    expect(spent).toBeGreaterThanOrEqual(101_000);
    expect(spent).toBeLessThan(202_000);
    await set({ tokens_per_month: 101_000 });
    const turn = await forge.call('POST', '/projects/p/turns', { message: 'What does a quokka cost?' }, acme);
    expect(turn.status).toBe(403);
    expect(turn.body).toMatchObject({ code: 'quota_exceeded', quota: 'tokens_per_month', limit: 101_000 });
    expect(turn.body.resets_at).toMatch(/-01T00:00:00\.000Z$/);
    expect(Date.parse(turn.body.resets_at)).toBeGreaterThan(Date.now());
    const others = await Promise.all([
      forge.call('POST', '/projects/p/research', { question: 'What does a quokka cost?' }, acme),
      forge.call('POST', '/projects/p/search', { query: 'quokka' }, acme),
      forge.upload('p', { 'z.md': text(50) }, acme),
    ]);
    expect(others.map(({ body }) => body.code)).toEqual(Array(3).fill('quota_exceeded'));
    expect((await forge.call('GET', '/projects/p/turns', undefined, acme)).body.data).toEqual([]);
    expect((await forge.call('GET', '/projects/p/files', undefined, acme)).status).toBe(200);
  });

  it('refuses the tools that call models when the month is used up, and serves what merely reads on', async () => {
    await spend('0');
    await set({ tokens_per_month: 1 });
    const call = (name: string, input: object) =>
      forge.call('POST', `/projects/p/tools/${name}`, input, acme);
    expect((await call('list_project_files', {})).body).toMatchObject({ is_error: false });
    expect((await call('search_documents', { query: 'quokka' })).body).toMatchObject({
      code: 'quota_exceeded',
      quota: 'tokens_per_month',
    });

    const { client } = await connectMcp(url, 'p', tenants.of('acme'));
    try {
      expect((await client.listTools()).tools.length).toBeGreaterThan(0);
      const read = await client.callTool({ name: 'list_project_files', arguments: {} });
      expect(read.isError).not.toBe(true);
      const searched = await client.callTool({ name: 'search_documents', arguments: { query: 'quokka' } });
      expect(searched).toMatchObject({ isError: true });
      expect(JSON.stringify(searched.content)).toMatch(/Not done\. .*tokens_per_month/);
    } finally {
      await client.close();
    }
  });

  it('asks for as much as a turn takes at least', async () => {
    await spend('0');
    const { used } = (await usage()).tokens_per_month;
    await set({ tokens_per_month: used + 1_000 });
    const say = () => forge.call('POST', '/projects/p/turns', { message: 'What does a quokka cost?' }, acme);
    expect((await say()).body.code).toBe('quota_exceeded');
    expect((await forge.call('POST', '/projects/p/search', { query: 'quokka' }, acme)).status).toBe(200);
    await set({ tokens_per_month: used + 100_000 });
    expect((await say()).status).toBe(201);
  });

  it('is limited in US dollars too', async () => {
    await spend('0');
    const { used } = (await usage()).usd_per_month;
    expect(used).toBeGreaterThan(0);
    await set({ usd_per_month: used / 2 });
    const turn = await forge.call('POST', '/projects/p/turns', { message: 'And a wombat?' }, acme);
    expect(turn.body).toMatchObject({
      code: 'quota_exceeded',
      quota: 'usd_per_month',
      used,
      limit: used / 2,
    });
    // nobody knows what the fake embedding model costs
    const search = await forge.call('POST', '/projects/p/search', { query: 'quokka' }, acme);
    expect(search.body.code).toBe('price_unknown');
  });
});
