import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import {
  createProviderKeys,
  examineProvider,
  PROVIDER_RETRY_MS,
} from '../../../src/services/keys/provider-keys.ts';
import { createTokens } from '../../../src/services/keys/tokens.ts';
import {
  createSigner,
  type IdentityProvider,
  type Signer,
  startIdentityProvider,
} from '../../fakes/identity-provider.ts';

const HOUR_MS = 3_600_000;
let rsa: Signer;
let other: Signer;
let provider: IdentityProvider;

beforeAll(async () => {
  [rsa, other] = await Promise.all([createSigner('one', 'RS256'), createSigner('two', 'ES256')]);
});
beforeEach(async () => {
  provider = await startIdentityProvider(rsa);
});
afterEach(async () => {
  vi.useRealTimers();
  await provider.close();
});
afterAll(() => vi.restoreAllMocks());

/** The tokens of a service with the workspaces `default` and `acme`, and clocks that are put forward by hand. */
function service(changes: object = {}) {
  const clock = { ms: Date.now() };
  const places = new Set(['default', 'acme']);
  const db = {
    query: async (_sql: string, [id]: [string]) => ({ rows: places.has(id) ? [{}] : [] }),
  } as unknown as Database;
  const log = { warn: vi.fn(), debug: vi.fn() };
  const settings = {
    issuer: provider.url,
    audience: 'forge',
    workspaceClaim: 'forge_workspace',
    scopesClaim: 'scope',
    scopePrefix: 'forge:',
    toleranceSeconds: 5,
    ...changes,
  };
  const keyOf = createProviderKeys({ issuer: settings.issuer, log, now: () => clock.ms });
  const tokens = createTokens({ settings, keyOf, db, log, now: () => clock.ms });
  return { tokens, clock, log, places };
}

const seconds = (ms: number): number => Math.floor(ms / 1000);
const good = { forge_workspace: 'acme', scope: 'openid forge:read forge:write' };
const unavailable = { code: 'identity_provider_unavailable', retryAfterSeconds: 5 };

describe('a token', () => {
  it('says whose it is, which workspace it is for, and what it allows', async () => {
    const { tokens } = service();
    expect(await tokens.principalOf(await provider.token(good))).toEqual({
      workspaceId: 'acme',
      scopes: ['read', 'write'],
      keyId: null,
      limitedAs: 'jwt:ada',
      caller: 'jwt:ada',
      name: 'ada',
      rateLimits: null,
    });
    expect(provider.asked).toEqual(['/.well-known/openid-configuration', '/jwks']);
  });

  it('may have its scopes as a list, by plain names and in a claim of another name', async () => {
    const { tokens } = service({ scopesClaim: 'roles', scopePrefix: '', workspaceClaim: 'tenant' });
    const token = await provider.token({ tenant: 'acme', roles: ['admin', 'editor', 7] });
    expect(await tokens.principalOf(token)).toMatchObject({ workspaceId: 'acme', scopes: ['admin'] });
    const without = await provider.token({ tenant: 'acme', scope: 'admin' });
    expect(await tokens.principalOf(without)).toMatchObject({ scopes: [] });
  });

  it.each([
    ['of another issuer', { iss: 'https://elsewhere.example' }],
    ['for another service', { aud: 'shop' }],
    ['for nobody', { aud: undefined }],
    ['without an end', { exp: undefined }],
    ['without a subject', { sub: undefined }],
    ['of a subject that cannot be kept', { sub: 'a\u0000b' }],
    ['that is not valid yet', { nbf: seconds(Date.now()) + 3_600 }],
    ['that has expired', { exp: seconds(Date.now()) - 60 }],
    ['without a workspace', { forge_workspace: undefined }],
    ['for a workspace that is not there', { forge_workspace: 'nowhere' }],
    ['for all workspaces', { forge_workspace: '*' }],
    ['for several workspaces', { forge_workspace: ['acme', 'default'] }],
  ])('%s is refused', async (_what, claims) => {
    const { tokens } = service();
    expect(await tokens.principalOf(await provider.token({ ...good, ...claims }))).toBeNull();
  });

  it('that is signed by nobody, with a shared secret, or by somebody else is refused', async () => {
    const { tokens } = service();
    const claims = { ...good, iss: provider.url, aud: 'forge', sub: 'ada', exp: seconds(Date.now()) + 60 };
    const unsigned = new UnsecuredJWT(claims).encode();
    const secret = Buffer.from(JSON.stringify(rsa.jwk));
    const shared = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(secret);
    const foreign = await createSigner('one', 'RS256');
    const [header, , signature] = (await provider.token(good)).split('.');
    const changed = Buffer.from(JSON.stringify({ ...claims, scope: 'forge:service' })).toString('base64url');
    const forged = [
      unsigned,
      shared,
      await provider.token(good, foreign),
      `${header}.${changed}.${signature}`,
    ];
    for (const token of [...forged, 'eyJ.x.y', 'eyJhIjoxfQ.e30.']) {
      expect([token, await tokens.principalOf(token)]).toEqual([token, null]);
    }
  });

  it('that does not name its key is taken where one key alone fits, and refused where several do', async () => {
    const nameless = { ...rsa, kid: undefined };
    provider.signers = [rsa, other];
    expect(await service().tokens.principalOf(await provider.token(good, nameless))).not.toBeNull();
    provider.signers = [rsa, await createSigner('three', 'RS256')];
    const { tokens, log } = service();
    expect(await tokens.principalOf(await provider.token(good, nameless))).toBeNull();
    expect(log.debug).toHaveBeenCalledWith(
      expect.objectContaining({ detail: expect.stringContaining('which key has signed it') }),
      'a token was refused',
    );
  });

  it('is verified once, and ends when it expires, whether the provider answers or not', async () => {
    const { tokens, clock } = service();
    const token = await provider.token({ ...good, exp: seconds(clock.ms) + 600 });
    expect(await tokens.principalOf(token)).not.toBeNull();
    provider.isDown = true;
    clock.ms += 599_000;
    expect(await tokens.principalOf(token)).not.toBeNull();
    // the clocks may be five seconds apart
    clock.ms += 4_000;
    expect(await tokens.principalOf(token)).not.toBeNull();
    clock.ms += 4_000;
    expect(await tokens.principalOf(token)).toBeNull();
    expect(provider.asked).toHaveLength(2);
  });

  it('of a long life is verified again within the hour', async () => {
    const { tokens, clock } = service();
    const token = await provider.token({ ...good, exp: seconds(clock.ms) + 86_400 });
    expect(await tokens.principalOf(token)).not.toBeNull();
    provider.signers = [other];
    vi.useFakeTimers({ now: Date.now() + HOUR_MS, toFake: ['Date'] });
    clock.ms += HOUR_MS;
    expect(await tokens.principalOf(token)).toBeNull();
  });

  it('ends with its workspace', async () => {
    const { tokens, places } = service();
    const token = await provider.token(good);
    expect(await tokens.principalOf(token)).not.toBeNull();
    places.delete('acme');
    tokens.forget();
    expect(await tokens.principalOf(token)).toBeNull();
  });
});

describe('the keys of the provider', () => {
  it('are fetched again for one that is not known, twice a minute at most', async () => {
    const { tokens } = service();
    await tokens.principalOf(await provider.token(good));
    provider.signers = [rsa, other];
    const rotated = await provider.token(good, other);
    expect(await tokens.principalOf(rotated)).toBeNull();
    vi.useFakeTimers({ now: Date.now() + 31_000, toFake: ['Date'] });
    expect(await tokens.principalOf(rotated)).not.toBeNull();
    expect(provider.asked.filter((url) => url === '/jwks')).toHaveLength(2);
  });

  it('let nobody in while they cannot be fetched, and the provider is not asked with every request', async () => {
    const { tokens, clock, log } = service();
    const token = await provider.token(good);
    provider.isDown = true;
    await expect(tokens.principalOf(token)).rejects.toMatchObject(unavailable);
    provider.isDown = false;
    await expect(tokens.principalOf(token)).rejects.toMatchObject(unavailable);
    expect(provider.asked).toHaveLength(1);
    expect(log.warn).toHaveBeenCalledOnce();
    clock.ms += PROVIDER_RETRY_MS;
    expect(await tokens.principalOf(token)).not.toBeNull();
  });

  it('that are known still decide while the provider is down', async () => {
    const { tokens } = service();
    await tokens.principalOf(await provider.token(good));
    provider.isDown = true;
    vi.useFakeTimers({ now: Date.now() + 31_000, toFake: ['Date'] });
    await expect(tokens.principalOf(await provider.token(good, other))).rejects.toMatchObject(unavailable);
    expect(await tokens.principalOf(await provider.token({ ...good, sub: 'grace' }))).not.toBeNull();
  });

  it.each([
    ['of another issuer', () => ({ issuer: 'https://elsewhere.example' })],
    ['on another host', () => ({ jwks_uri: provider.url.replace('127.0.0.1', 'localhost').concat('/jwks') })],
    ['without an address', () => ({ jwks_uri: undefined })],
    ['of a length without end', () => ({ filler: 'x'.repeat(2 ** 20) })],
  ])('are not taken from a discovery document %s', async (_what, discovery) => {
    const { tokens } = service();
    provider.discovery = discovery();
    await expect(tokens.principalOf(await provider.token(good))).rejects.toMatchObject(unavailable);
    expect(provider.asked).toHaveLength(1);
  });

  it('are not fetched from where a redirect leads', async () => {
    const { tokens } = service();
    provider.redirect = `${provider.url}/elsewhere`;
    await expect(tokens.principalOf(await provider.token(good))).rejects.toMatchObject(unavailable);
    expect(provider.asked).not.toContain('/elsewhere');
  });
});

describe('an examination of the provider', () => {
  it('counts the keys', async () => {
    provider.signers = [rsa, other];
    expect(await examineProvider(provider.url)).toBe(2);
  });

  it.each<[string, () => unknown, RegExp]>([
    ['fails', () => (provider.isDown = true), /discovery document cannot be had: .* answered 503/],
    ['is not there', () => provider.close(), /discovery document cannot be had: ECONNREFUSED/],
    [
      'is another',
      () => (provider.discovery = { issuer: 'https://x.example' }),
      /of another issuer than OIDC_ISSUER/,
    ],
    [
      'sends elsewhere',
      () => (provider.redirect = '/elsewhere'),
      /keys cannot be had from .*\/jwks: .*redirect/,
    ],
    ['has no keys', () => (provider.signers = []), /there are no keys at .*\/jwks/],
  ])('says what stands in the way when it %s', async (_what, change, words) => {
    await change();
    await expect(examineProvider(provider.url)).rejects.toThrow(words);
  });

  it('does not wait for one that says nothing', async () => {
    provider.isSilent = true;
    await expect(examineProvider(provider.url, 1)).rejects.toThrow(/there was no answer in time/);
  });
});
