import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { sendJson, startHttpServer } from './http-server.ts';

export type Signer = Awaited<ReturnType<typeof createSigner>>;
/** Undefined: its tokens do not say which key has signed them. */
type TokenSigner = Omit<Signer, 'kid'> & { kid: string | undefined };

/** What an identity provider signs with, and what it publishes of it. */
export async function createSigner(kid: string, alg: string) {
  const { publicKey, privateKey } = await generateKeyPair(alg);
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** A provider on a port of its own, whose answers a test can change while it runs. */
export async function startIdentityProvider(...signers: Signer[]) {
  const provider = {
    url: '',
    signers,
    /** It answers every request with 503. */
    isDown: false,
    /** It answers nothing. */
    isSilent: false,
    /** Members of the discovery document in place of its own. */
    discovery: {} as object,
    /** Where `/jwks` sends whoever asks. */
    redirect: null as string | null,
    asked: [] as string[],
    close: async () => {},

    /** A token of a user for an hour, unless told otherwise; undefined leaves a claim out. */
    token(claims: Record<string, unknown> = {}, signer?: TokenSigner): Promise<string> {
      const { kid, alg, privateKey } = signer ?? (provider.signers[0] as Signer);
      const now = Math.floor(Date.now() / 1000);
      const all = { iss: provider.url, aud: 'forge', sub: 'ada', exp: now + 3_600, ...claims };
      return new SignJWT(JSON.parse(JSON.stringify(all)))
        .setProtectedHeader({ alg, ...(kid !== undefined && { kid }) })
        .sign(privateKey);
    },
  };
  const server = await startHttpServer(async ({ url = '' }, _body, response) => {
    provider.asked.push(url);
    if (provider.isSilent) return;
    if (provider.isDown) return sendJson(response, 503, {});
    if (url === '/.well-known/openid-configuration') {
      const own = { issuer: provider.url, jwks_uri: `${provider.url}/jwks` };
      return sendJson(response, 200, { ...own, ...provider.discovery });
    }
    if (provider.redirect !== null) return sendJson(response, 302, {}, { location: provider.redirect });
    return sendJson(response, 200, { keys: provider.signers.map(({ jwk }) => jwk) });
  });
  provider.url = server.url;
  provider.close = server.close;
  return provider;
}

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;
