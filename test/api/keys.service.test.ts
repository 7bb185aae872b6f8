import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';

let forge: TestApp;
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

beforeAll(async () => {
  forge = await startTestApp();
});
afterAll(() => forge.close());

async function make(by: string | null, body: Record<string, unknown>) {
  return forge.call('POST', '/keys', { name: 'Made', ...body }, by === null ? {} : bearer(by));
}

describe('API keys', () => {
  let service: string;
  let serviceId: string;

  it('are asked for from the first one on, which can make others', async () => {
    expect((await forge.call('GET', '/projects')).status).toBe(200);
    const lesser = await make(null, { scopes: ['admin'] });
    expect([lesser.status, lesser.body.code]).toEqual([409, 'last_key']);
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    expect((await make(null, { scopes: ['service'], expires_at: soon })).body.code).toBe('last_key');

    const made = await make(null, { name: 'First', scopes: ['service'] });
    expect(made.status).toBe(201);
    expect(made.headers['cache-control']).toBe('no-store');
    expect(made.body).toMatchObject({ name: 'First', workspace: 'default', created_by: 'open' });
    expect(made.body.key).toMatch(/^forge_[0-9a-f]{16}_[\w-]{43}$/);
    service = made.body.key;
    serviceId = made.body.id;

    const without = await forge.call('GET', '/projects');
    expect([without.status, without.body.code]).toEqual([401, 'authentication_required']);
    expect(without.headers['www-authenticate']).toBe('Bearer realm="Forge"');
    expect((await forge.call('GET', '/projects', undefined, bearer(service))).status).toBe(200);
  });

  it('are not asked for by health and the contract', async () => {
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs/', '/problems/key_not_valid']) {
      expect([path, (await forge.call('GET', path)).status]).toEqual([path, 200]);
    }
    for (const path of ['/metrics', '/version', '/knowledge', '/keys']) {
      expect([path, (await forge.call('GET', path)).status]).toEqual([path, 401]);
    }
    expect((await forge.call('GET', '/nothing')).status).toBe(404);
  });

  it('are kept as digests, and shown once', async () => {
    const stored = await forge.db.query('select * from api_keys');
    // the secret itself may hold underscores, or begin with one
    const secret = /^[^_]+_[^_]+_(.+)$/.exec(service)?.[1] ?? 'no secret was found';
    expect(JSON.stringify(stored.rows)).not.toContain(secret);
    const list = await forge.call('GET', '/keys', undefined, bearer(service));
    expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual([serviceId]);
    expect(list.text).not.toContain(secret);
  });

  it('allow what their scopes say, and no more', async () => {
    const read = (await make(service, { scopes: ['read'] })).body.key;
    const write = (await make(service, { scopes: ['write'] })).body.key;
    const admin = (await make(service, { scopes: ['admin'] })).body.key;
    const creates = (key: string) => forge.call('POST', '/projects', { name: 'New' }, bearer(key));
    const refused = await creates(read);
    expect([refused.status, refused.body.code, refused.body.scope]).toEqual([403, 'scope_required', 'write']);
    expect(refused.headers['www-authenticate']).toContain('scope="write"');
    expect((await creates(write)).status).toBe(201);
    expect((await forge.call('POST', '/library/search', { query: 'x' }, bearer(read))).status).toBe(200);
    expect((await forge.call('GET', '/keys', undefined, bearer(write))).status).toBe(403);
    expect((await make(admin, { scopes: ['admin', 'read'] })).status).toBe(201);
    const beyond = await make(admin, { scopes: ['service'] });
    expect([beyond.status, beyond.body.scope]).toEqual([403, 'service']);
  });

  it('end when they are revoked, at once', async () => {
    const { id, key } = (await make(service, { scopes: ['read'] })).body;
    expect((await forge.call('GET', '/projects', undefined, bearer(key))).status).toBe(200);
    expect((await forge.call('DELETE', `/keys/${id}`, undefined, bearer(service))).status).toBe(200);
    const after = await forge.call('GET', '/projects', undefined, bearer(key));
    expect([after.status, after.body.code]).toEqual([401, 'key_not_valid']);
    expect((await forge.call('DELETE', `/keys/${id}`, undefined, bearer(service))).status).toBe(404);
  });

  it('end when they expire, with the answer of one that is not known', async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const { id, key } = (await make(service, { scopes: ['read'], expires_at: soon })).body;
    await forge.db.query('update api_keys set expires_at = now() where key_id = $1', [id]);
    const expired = await forge.call('GET', '/projects', undefined, bearer(key));
    const unknown = await forge.call('GET', '/projects', undefined, bearer(`${key.slice(0, -1)}.`));
    const strip = ({ request_id: _, ...rest }: Record<string, unknown>) => rest;
    expect(strip(expired.body)).toEqual(strip(unknown.body));
    expect(expired.headers['www-authenticate']).toBe(unknown.headers['www-authenticate']);
  });

  it('tell when they were used', async () => {
    const { id, key } = (await make(service, { scopes: ['read'] })).body;
    await forge.call('GET', '/projects', undefined, bearer(key));
    const usedAt = async () => {
      const { body } = await forge.call('GET', '/keys?limit=100', undefined, bearer(service));
      return body.data.find((one: { id: string }) => one.id === id).last_used_at;
    };
    await expect.poll(usedAt).not.toBeNull();
  });
});

it('leaves the last key that can make others, unless told otherwise', async () => {
  await forge.close();
  forge = await startTestApp();
  const { id, key } = (await make(null, { scopes: ['service'] })).body;
  const kept = await forge.call('DELETE', `/keys/${id}`, undefined, bearer(key));
  expect([kept.status, kept.body.code]).toEqual([409, 'last_key']);
  const other = (await make(key, { scopes: ['read'] })).body;
  expect((await forge.call('DELETE', `/keys/${other.id}`, undefined, bearer(key))).status).toBe(200);
  expect((await forge.call('DELETE', `/keys/${id}?force=true`, undefined, bearer(key))).status).toBe(200);
  expect((await forge.call('GET', '/projects')).status).toBe(200);
});

it('slows down who tries many keys, and lets in who has a valid one', async () => {
  const { id, key } = (await make(null, { scopes: ['service'] })).body;
  expect((await forge.call('GET', '/projects', undefined, bearer(key))).status).toBe(200);
  const tried: number[] = [];
  for (let i = 0; i < 25; i += 1) {
    tried.push((await forge.call('GET', '/projects', undefined, bearer(`guess-${i}`))).status);
  }
  expect(tried[0]).toBe(401);
  expect(tried.at(-1)).toBe(429);
  const refused = await forge.call('GET', '/projects', undefined, bearer('guess'));
  expect(refused.body.code).toBe('too_many_failed_keys');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await forge.call('DELETE', `/keys/${id}?force=true`, undefined, bearer(key))).status).toBe(200);
});

it('makes a first key where other machines can reach it, and takes the one of the settings', async () => {
  const open = await startTestApp({ settings: { HOST: '0.0.0.0' } });
  expect(open.firstKey).toMatch(/^forge_/);
  expect((await open.call('GET', '/projects')).status).toBe(401);
  expect((await open.call('GET', '/keys', undefined, bearer(open.firstKey ?? ''))).status).toBe(200);
  await open.close();

  const named = 'a-key-of-the-settings-0123456789abcdef';
  const set = await startTestApp({ settings: { HOST: '0.0.0.0', FORGE_ADMIN_KEY: named } });
  expect(set.firstKey).toBeNull();
  const { body } = await set.call('GET', '/keys', undefined, bearer(named));
  expect(body.data).toMatchObject([{ id: 'settings', scopes: ['service'] }]);
  await set.close();
});
