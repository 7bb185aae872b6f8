import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { createTenants } from '../helpers/tenants.ts';

let forge: TestApp;
let tenants: Awaited<ReturnType<typeof createTenants>>;

beforeAll(async () => {
  forge = await startTestApp();
  tenants = await createTenants(forge, ['acme', 'other']);
});
afterAll(() => forge.close());

/** Rows of each table that name the workspace, by whatever column of that name; tables without any are left out. */
async function rowsOf(workspaceId: string): Promise<Record<string, number>> {
  const { rows: tables } = await forge.db.query<{ table_name: string }>(
    `select table_name from information_schema.columns
     where table_schema = 'public' and column_name = 'workspace_id' order by table_name`,
  );
  const counts: Record<string, number> = {};
  for (const { table_name: table } of tables) {
    const { rows } = await forge.db.query<{ n: number }>(
      `select count(*)::int as n from ${table} where workspace_id = $1`,
      [workspaceId],
    );
    if (rows[0]?.n) counts[table] = rows[0].n;
  }
  return counts;
}

/** Texts anywhere in the database that hold a word. */
async function tablesWith(word: string): Promise<string[]> {
  const { rows: tables } = await forge.db.query<{ table_name: string }>(
    `select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { table_name: table } of tables) {
    const { rows } = await forge.db.query(
      `select 1 from ${table} t where to_jsonb(t)::text ilike $1 limit 1`,
      [`%${word}%`],
    );
    if (rows.length > 0) found.push(table);
  }
  return found;
}

async function fill(workspace: string): Promise<void> {
  const headers = tenants.of(workspace);
  const keyed = { ...headers, 'idempotency-key': 'once' };
  await forge.call('POST', '/projects', { id: 'roi', name: 'Quokka' }, keyed);
  const text = `# Quokka of ${workspace}\n\nA quokka of ${workspace} costs 12 euros, which is what the board has agreed on.\n`;
  await forge.upload('roi', { 'quokka.md': text }, headers);
  await forge.uploadToLibrary({ 'quokka.md': text }, headers);
  await forge.call('POST', '/projects/roi/turns', { message: 'What does a quokka cost?' }, keyed);
  await forge.call('POST', '/projects/roi/research', { question: 'What does a quokka cost?' }, headers);
  await forge.settle();
  await forge.call('GET', '/audit', undefined, headers);
}

it('leaves nothing of a workspace that is deleted, and everything of the others', async () => {
  await fill('acme');
  await fill('other');
  const before = await rowsOf('other');
  expect(Object.keys(await rowsOf('acme'))).toEqual(Object.keys(before));
  expect(Object.keys(before)).toEqual(
    expect.arrayContaining([
      'api_keys',
      'audit_events',
      'document_leaves',
      'idempotency_keys',
      'research_runs',
    ]),
  );
  const cached = async (workspace: string) =>
    (
      await forge.db.query('select 1 from embedding_cache where starts_with(input_hash, $1)', [
        `${workspace}/`,
      ])
    ).rowCount;
  const vectors = await cached('other');
  expect([await cached('acme'), vectors > 0]).toEqual([vectors, true]);

  const deleted = await forge.call('DELETE', '/workspaces/acme', undefined, tenants.service);
  expect(deleted.status).toBe(200);
  expect(deleted.body.removed).toEqual({ projects: 1, files: 2, turns: 1, keys: 1 });
  expect(await rowsOf('acme')).toEqual({});
  expect(await tablesWith('of acme')).toEqual([]);
  expect([await cached('acme'), await cached('other')]).toEqual([0, vectors]);
  expect(await rowsOf('other')).toEqual(before);
  const after = await forge.call('GET', '/projects', undefined, tenants.of('acme'));
  expect([after.status, after.body.code]).toEqual([401, 'key_not_valid']);
  const found = await forge.call('POST', '/projects/roi/search', { query: 'quokka' }, tenants.of('other'));
  expect(found.body.data).toHaveLength(1);
});

it('is for who is over all workspaces', async () => {
  const { service, of } = tenants;
  expect((await forge.call('GET', '/workspaces', undefined, of('other'))).status).toBe(403);
  expect((await forge.call('DELETE', '/workspaces/other', undefined, of('other'))).status).toBe(403);
  const list = await forge.call('GET', '/workspaces', undefined, service);
  expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual(['default', 'other']);
  expect((await forge.call('GET', '/workspaces/other', undefined, service)).body.name).toBe('other');
  const taken = await forge.call('POST', '/workspaces', { id: 'other', name: 'Again' }, service);
  expect([taken.status, taken.body.code]).toEqual([409, 'workspace_exists']);
  const kept = await forge.call('DELETE', '/workspaces/default', undefined, service);
  expect([kept.status, kept.body.code]).toEqual([409, 'workspace_not_deletable']);
});

it('logs who did what, and nothing of what was in it', async () => {
  const { service, of } = tenants;
  const { key, id } = (
    await forge.call('POST', '/keys', { name: 'Reader', scopes: ['read'], workspace: 'other' }, service)
  ).body;
  await forge.call('DELETE', '/projects/roi', undefined, { authorization: `Bearer ${key}` });
  await forge.call('POST', '/projects', { id: 'second', name: 'Secret plans' }, of('other'));
  await forge.call('GET', '/projects/second/export', undefined, of('other'));

  const refused = await forge.call('GET', `/audit?actor=key:${id}`, undefined, of('other'));
  expect(refused.body.data).toMatchObject([
    { actor_name: 'Reader', action: 'deleteProject', resource: '/projects/roi', status: 403 },
  ]);
  const all = await forge.call('GET', '/audit?order=desc&limit=2', undefined, of('other'));
  expect(all.body.data).toMatchObject([
    { action: 'exportProject', status: 200 },
    { action: 'createProject', resource: '/projects/second', status: 201 },
  ]);
  expect(all.body.has_more).toBe(true);
  const lines = await forge.call('GET', '/audit/export?action=createProject', undefined, of('other'));
  expect(lines.headers['content-type']).toContain('application/jsonl');
  const events = lines.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.map(({ resource }) => resource)).toEqual(['/projects/roi', '/projects/second']);
  expect(lines.text).not.toContain('Secret');
  const elsewhere = await forge.call('GET', '/audit?action=createProject', undefined, service);
  expect(elsewhere.body.data).toEqual([]);
});

it('tells a workspace what administrators of the service do to it, and not by which key', async () => {
  const { service, of } = tenants;
  const made = await forge.call(
    'POST',
    '/keys',
    { name: 'Auditor', scopes: ['read'], workspace: 'other' },
    service,
  );
  const resource = `/keys/${made.body.id}`;
  await forge.call('DELETE', `${resource}?workspace=other`, undefined, service);
  await forge.call('PATCH', '/workspaces/other', { quotas: { files: 500 } }, service);
  await forge.call('DELETE', `${resource}?workspace=other`, undefined, service);

  const theirs = await forge.call('GET', '/audit?actor=service', undefined, of('other'));
  const outsider = { actor: 'service', actor_name: 'an administrator of the service', address: null };
  expect(theirs.body.data.slice(-3)).toMatchObject([
    { ...outsider, action: 'createKey', resource, status: 201 },
    { ...outsider, action: 'revokeKey', resource, status: 200 },
    { ...outsider, action: 'changeWorkspace', resource: '/workspaces/other', status: 200 },
  ]);
  expect(theirs.body.data[0]).toMatchObject({ ...outsider, action: 'createWorkspace' });

  const own = await forge.call('GET', '/audit?order=desc&limit=4', undefined, service);
  const events: { status: number; request_id: string; actor: string }[] = own.body.data.reverse();
  expect(events.map(({ status }) => status)).toEqual([201, 200, 200, 404]);
  const ids = theirs.body.data.slice(-3).map((event: { request_id: string }) => event.request_id);
  expect(events.slice(0, 3).map((event) => event.request_id)).toEqual(ids);
  expect(theirs.text).not.toContain(events[0]?.actor);
});

it('writes what is done to keys and workspaces with what it does', async () => {
  const { service, of } = tenants;
  const count = async () => {
    const { rows } = await forge.db.query<{ workspace_id: string; events: number }>(
      'select workspace_id, count(*)::int as events from audit_events group by workspace_id',
    );
    return new Map(rows.map(({ workspace_id, events }) => [workspace_id, events]));
  };
  // what was collected before is written by whoever lists
  await forge.call('GET', '/audit', undefined, service);
  const before = await count();
  const made = await forge.call('POST', '/keys', { name: 'Own', scopes: ['read'] }, of('other'));
  const after = await count();
  expect(after.get('other')).toBe((before.get('other') ?? 0) + 1);
  expect(after.get('default')).toBe(before.get('default'));

  await forge.db.query('alter table audit_events add constraint never check (false) not valid');
  const failed = await forge.call('DELETE', `/keys/${made.body.id}`, undefined, of('other'));
  await forge.db.query('alter table audit_events drop constraint never');
  expect(failed.status).toBe(500);
  const keys = await forge.call('GET', '/keys', undefined, of('other'));
  expect(keys.body.data.map(({ id }: { id: string }) => id)).toContain(made.body.id);
});

it('keeps the idempotency keys of workspaces apart', async () => {
  const { service, of } = tenants;
  const key = { 'idempotency-key': 'shared' };
  const one = await forge.call('POST', '/projects', { name: 'Mine' }, { ...of('other'), ...key });
  const two = await forge.call('POST', '/projects', { name: 'Mine' }, { ...service, ...key });
  expect([one.status, two.status]).toEqual([201, 201]);
  expect(two.headers['idempotency-replayed']).toBeUndefined();
});
