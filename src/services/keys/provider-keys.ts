import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';

const TIMEOUT_MS = 5_000;
/** Larger than any key set; what is longer is none. */
const MOST_BYTES = 1_048_576;
/** A provider that has failed is left alone for so long. */
export const PROVIDER_RETRY_MS = 5_000;

/** Whether a token is valid cannot be told: the provider's keys could not be fetched. */
export class ProviderUnavailableError extends Error {
  constructor(cause: unknown) {
    super('the keys of the identity provider could not be fetched', { cause });
    this.name = 'ProviderUnavailableError';
  }
}

export interface ProviderKeysDeps {
  issuer: string;
  log: { warn(details: object, message: string): void };
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
}

async function fetchJson(url: string, init: RequestInit): Promise<unknown> {
  // what is elsewhere may be on a network that only this service reaches
  const response = await fetch(url, { ...init, redirect: 'error' });
  if (response.status !== 200) throw new Error(`the identity provider answered ${response.status}`);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MOST_BYTES) throw new Error('the answer of the identity provider is too long');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

/** Where the provider's keys are, as its discovery document says. Nothing but its own origin is asked. */
async function discover(issuer: string, timeoutMs = TIMEOUT_MS): Promise<URL> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const found = await fetchJson(url, { signal: AbortSignal.timeout(timeoutMs) });
  const { issuer: named, jwks_uri: keys } = Object(found) as Record<string, unknown>;
  if (named !== issuer) throw new Error('the discovery document is of another issuer than OIDC_ISSUER');
  const at = new URL(String(keys));
  if (at.origin !== new URL(issuer).origin)
    throw new Error('the keys are on another origin than OIDC_ISSUER');
  return at;
}

/**
 * The keys that an identity provider signs with, fetched when a token needs them, and again after ten minutes, or for a key that
 * is not among them, at most twice a minute.
 *
 * @returns for `jwtVerify`; throws ProviderUnavailableError when there are none to decide with
 */
export function createProviderKeys({ issuer, log, now = () => performance.now() }: ProviderKeysDeps) {
  let keys: Promise<ReturnType<typeof createRemoteJWKSet>> | null = null;
  let pausedUntil = Number.NEGATIVE_INFINITY;

  /** Asks the provider; without it, as long as it has failed just before. */
  async function ask<T>(work: () => Promise<T>): Promise<T> {
    if (now() < pausedUntil) throw new Error('the identity provider has failed just before');
    try {
      return await work();
    } catch (err) {
      pausedUntil = now() + PROVIDER_RETRY_MS;
      log.warn({ err }, 'the keys of the identity provider could not be fetched');
      throw err;
    }
  }

  const open = async () =>
    createRemoteJWKSet(await ask(() => discover(issuer)), {
      timeoutDuration: TIMEOUT_MS,
      [customFetch]: (url, init) => ask(async () => Response.json(await fetchJson(url, init))),
    });

  const keyOf: JWTVerifyGetKey = async (header, token) => {
    keys ??= open();
    const asked = keys;
    try {
      return await (await asked)(header, token);
    } catch (error) {
      const isDecided =
        error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
      if (isDecided) throw error;
      // keys that are still good stay; otherwise they may have moved
      const isFresh = await asked.then(({ fresh }) => fresh).catch(() => false);
      if (!isFresh && keys === asked) keys = null;
      throw new ProviderUnavailableError(error);
    }
  };
  return keyOf;
}

/** What stands in the way, in words that need no source code. */
function troubleOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return 'there was no answer in time';
  if (error instanceof SyntaxError) return 'the answer is no JSON';
  return cause === undefined ? message : (cause.code ?? cause.message ?? message);
}

/**
 * Looks whether tokens of a provider could be verified.
 *
 * @param timeoutMs for each of its two documents
 * @returns how many keys it publishes
 * @throws Error a sentence that says what stands in the way
 */
export async function examineProvider(issuer: string, timeoutMs = TIMEOUT_MS): Promise<number> {
  const at = await discover(issuer, timeoutMs).catch((error: unknown) => {
    throw new Error(`its discovery document cannot be had: ${troubleOf(error)}`, { cause: error });
  });
  const found = await fetchJson(at.href, { signal: AbortSignal.timeout(timeoutMs) }).catch(
    (error: unknown) => {
      throw new Error(`its keys cannot be had from ${at.href}: ${troubleOf(error)}`, { cause: error });
    },
  );
  const { keys } = Object(found) as Record<string, unknown>;
  if (Array.isArray(keys) && keys.length > 0) return keys.length;
  throw new Error(`there are no keys at ${at.href}`);
}
