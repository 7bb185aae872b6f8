import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSigner, type IdentityProvider, startIdentityProvider } from '../fakes/identity-provider.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { gatedEmbeddingModel } from '../helpers/gated-embedding.ts';
import { openStream } from '../helpers/sse.ts';

const embeddingModel = gatedEmbeddingModel();
let forge: TestApp;
let provider: IdentityProvider;
let service: { authorization: string };
let base: string;

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

beforeAll(async () => {
  provider = await startIdentityProvider(await createSigner('one', 'ES256'));
  const key = 'k'.repeat(40);
  forge = await startTestApp({
    settings: {
      OIDC_ISSUER: provider.url,
      OIDC_AUDIENCE: 'forge',
      OIDC_CLOCK_TOLERANCE_SECONDS: '0',
      FORGE_ADMIN_KEY: key,
      RATE_LIMIT_REQUESTS_PER_MINUTE: '50',
    },
    overrides: { embeddingModel },
  });
  service = bearer(key);
  await forge.call('POST', '/workspaces', { id: 'acme', name: 'Acme' }, service);
  base = await forge.app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => vi.useRealTimers());
afterAll(async () => {
  await forge.close();
  await provider.close();
});

const as = async (sub: string, scope: string, rest: object = {}) =>
  bearer(await provider.token({ sub, scope, forge_workspace: 'acme', ...rest }));

describe('tokens of an identity provider', () => {
  it('open their workspace, for what their scopes say', async () => {
    expect((await forge.call('GET', '/projects')).body.code).toBe('authentication_required');
    const ada = await as('ada', 'forge:write');
    expect((await forge.call('POST', '/projects', { id: 'p', name: 'P' }, ada)).status).toBe(201);
    const seen = await forge.call('GET', '/projects', undefined, await as('grace', 'forge:read'));
    expect(seen.body.data.map(({ id }: { id: string }) => id)).toEqual(['p']);
    expect((await forge.call('GET', '/projects', undefined, service)).body.data).toEqual([]);
    const elsewhere = await as('ada', 'forge:write', { forge_workspace: 'default' });
    expect((await forge.call('GET', '/projects/p', undefined, elsewhere)).status).toBe(404);

    const none = await forge.call('GET', '/projects', undefined, await as('eve', 'openid'));
    expect([none.status, none.body.code]).toEqual([403, 'scope_required']);
    expect(none.body.detail).toContain('you have none');
  });

  it('are named in the audit log, and have limits each of its own', async () => {
    const ada = await as('ada', 'forge:admin');
    const { body, headers } = await forge.call('GET', '/audit', undefined, ada);
    expect(body.data).toContainEqual(
      expect.objectContaining({ actor: 'jwt:ada', actor_name: 'ada', status: 201 }),
    );
    expect(headers['ratelimit-policy']).toContain('"requests";q=50;w=60');
    const many = await as('many', 'forge:read');
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async () => (await forge.call('GET', '/projects', undefined, many)).status),
    );
    expect(statuses).toContain(429);
    expect((await forge.call('GET', '/projects', undefined, ada)).status).toBe(200);
  });

  it('that are not valid are refused, as often as they come, and lock nobody out', async () => {
    const expired = await as('ada', 'forge:read', { exp: inSeconds(-60) });
    for (let sent = 0; sent < 25; sent += 1) {
      const { status, body, headers } = await forge.call('GET', '/projects', undefined, expired);
      expect([status, body.code]).toEqual([401, 'key_not_valid']);
      expect(headers['www-authenticate']).toContain('error="invalid_token"');
    }
    expect((await forge.call('GET', '/projects', undefined, await as('new', 'forge:read'))).status).toBe(200);
  });

  it('lose their streams when they expire', async () => {
    const arrived = embeddingModel.shut();
    const ada = await as('ada', 'forge:write');
    await forge.upload('p', { 'a.md': '# A\n\nOne line.' }, { ...ada, prefer: 'respond-async' });
    await arrived;
    const follow = async (headers: Record<string, string>) => {
      const stream = await openStream(`${base}/projects/p/files/a.md/events`, { headers });
      await stream.until('file.progress');
      return stream;
    };
    const kept = await follow(ada);
    const ended = await follow(await as('ada', 'forge:read', { exp: inSeconds(60) }));
    vi.useFakeTimers({ now: Date.now() + 120_000, toFake: ['Date'] });
    await expect(ended.all()).rejects.toThrow();
    embeddingModel.open();
    expect((await kept.until('file.completed')).event).toBe('file.completed');
  });

  it('end with their workspace', async () => {
    await forge.call('POST', '/workspaces', { id: 'gone', name: 'Gone' }, service);
    const ada = await as('ada', 'forge:read', { forge_workspace: 'gone' });
    expect((await forge.call('GET', '/projects', undefined, ada)).status).toBe(200);
    await forge.call('DELETE', '/workspaces/gone', undefined, service);
    expect((await forge.call('GET', '/projects', undefined, ada)).status).toBe(401);
  });

  it('are not let through when the provider does not answer, while keys are', async () => {
    const other = await startTestApp({
      settings: { OIDC_ISSUER: provider.url, OIDC_AUDIENCE: 'forge', HOST: '127.0.0.1' },
    });
    try {
      expect((await other.call('GET', '/projects')).status).toBe(401);
      provider.isDown = true;
      const answer = await other.call('GET', '/projects', undefined, await as('ada', 'forge:read'));
      expect([answer.status, answer.body.code]).toEqual([503, 'identity_provider_unavailable']);
      expect(answer.headers['retry-after']).toBe('5');
      expect((await forge.call('GET', '/projects', undefined, service)).status).toBe(200);
    } finally {
      provider.isDown = false;
      await other.close();
    }
  });
});
