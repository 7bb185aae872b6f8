import { decodeJwt, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Database } from '../../db/database.ts';
import { isWorkspace } from '../../db/workspaces.ts';
import { AppError } from '../../errors.ts';
import { ACCESS_SCOPES, PROJECT_ID, type Principal } from '../../scope.ts';
import { createProviderKeys, PROVIDER_RETRY_MS, ProviderUnavailableError } from './provider-keys.ts';
import { hashOf } from './secret.ts';

/** Signatures that only the provider can make: with a shared secret, whoever checks could sign as well. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
/** A signature is believed for so long at most: a key that the provider has withdrawn ends within it. */
const BELIEVED_MS = 3_600_000;
/** A workspace is believed to be there for so long, as keys are. */
const WORKSPACE_BELIEVED_MS = 1_000;
/** Tokens, and workspaces, that are remembered, at most. */
const MOST_REMEMBERED = 10_000;
/** As OpenID Connect bounds a subject. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;
/** A header in JSON, which begins with `{"`, a payload, and a signature, or none. */
const TOKEN = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;

export interface TokenSettings {
  issuer: string;
  audience: string;
  workspaceClaim: string;
  scopesClaim: string;
  /** What stands before `read`, `write`, `admin` and `service`. */
  scopePrefix: string;
  /** How far the clocks may be apart. */
  toleranceSeconds: number;
}

export interface TokensDeps {
  settings: TokenSettings;
  db: Database;
  log: {
    debug(details: object, message: string): void;
    warn(details: object, message: string): void;
  };
  /** Left out: the provider's keys, from its own address. */
  keyOf?: JWTVerifyGetKey;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** Whether a text has the form of a token, which no key has that Forge makes. */
export const isToken = (text: string): boolean => TOKEN.test(text);

/** Words of a claim: a list, or a text with spaces between them. */
function wordsOf(claim: unknown): unknown[] {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) ? claim : [];
}

/** Null where claims are missing or cannot be what they should. */
function principalOf(claims: JWTPayload, settings: TokenSettings): Principal | null {
  const { sub } = claims;
  const workspaceId = claims[settings.workspaceClaim];
  if (sub === undefined || !SUBJECT.test(sub)) return null;
  if (typeof workspaceId !== 'string' || !PROJECT_ID.test(workspaceId)) return null;
  const words = new Set(wordsOf(claims[settings.scopesClaim]));
  const caller = `jwt:${sub}`;
  return {
    workspaceId,
    scopes: ACCESS_SCOPES.filter((scope) => words.has(`${settings.scopePrefix}${scope}`)),
    keyId: null,
    limitedAs: caller,
    caller,
    name: sub,
    rateLimits: null,
  };
}

const AMBIGUOUS =
  'The token does not say which key has signed it (kid), and several of the identity provider could have.';

const unavailable = (cause: unknown): AppError =>
  new AppError('identity_provider_unavailable', {
    detail:
      'The token could not be checked: the identity provider cannot be reached. Send the request again in a moment.',
    cause,
    retryAfterSeconds: PROVIDER_RETRY_MS / 1000,
  });

/** Finds out who calls, by tokens (JWT) of an identity provider. */
export function createTokens({ settings, db, log, now = () => Date.now(), ...deps }: TokensDeps) {
  const { issuer, audience, toleranceSeconds } = settings;
  const keyOf = deps.keyOf ?? createProviderKeys({ issuer, log });
  const verified = new Map<string, { principal: Principal; until: number }>();
  let workspaces = new Map<string, number>();

  const endOf = (exp: number | undefined): number => ((exp ?? 0) + toleranceSeconds) * 1000;

  async function verify(token: string): Promise<{ principal: Principal; until: number } | null> {
    // one that has expired is refused whether the provider answers or not
    if (endOf(decodeJwt(token).exp) <= now()) return null;
    const { payload } = await jwtVerify(token, keyOf, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp', 'sub'],
      clockTolerance: toleranceSeconds,
      currentDate: new Date(now()),
    });
    const principal = principalOf(payload, settings);
    if (!principal) log.debug({ reason: 'claims' }, 'a token was refused');
    return principal && { principal, until: Math.min(endOf(payload.exp), now() + BELIEVED_MS) };
  }

  /** Throws what is not about the token; null: it is not valid. */
  function refused(error: unknown): null {
    if (error instanceof ProviderUnavailableError) throw unavailable(error);
    const claim = error instanceof errors.JWTClaimValidationFailed ? error.claim : undefined;
    const reason = error instanceof errors.JOSEError ? error.code : 'unreadable';
    const isAmbiguous = error instanceof errors.JWKSMultipleMatchingKeys;
    log.debug({ reason, claim, ...(isAmbiguous && { detail: AMBIGUOUS }) }, 'a token was refused');
    return null;
  }

  async function holderOf(token: string): Promise<Principal | null> {
    const name = hashOf(token).toString('base64');
    const known = verified.get(name);
    if (known && now() < known.until) return known.principal;
    verified.delete(name);
    const found = await verify(token).catch(refused);
    if (!found) return null;
    if (verified.size >= MOST_REMEMBERED) verified.clear();
    verified.set(name, found);
    return found.principal;
  }

  async function isThere(workspaceId: string): Promise<boolean> {
    const seen = workspaces;
    const at = performance.now();
    if (at - (seen.get(workspaceId) ?? Number.NEGATIVE_INFINITY) < WORKSPACE_BELIEVED_MS) return true;
    if (!(await isWorkspace(db, workspaceId))) return false;
    if (seen.size >= MOST_REMEMBERED) seen.clear();
    seen.set(workspaceId, at);
    return true;
  }

  return {
    /**
     * Whose token it is; null for one that is not valid, has expired, or is for a workspace that is not there.
     *
     * @throws AppError `identity_provider_unavailable`
     */
    async principalOf(token: string): Promise<Principal | null> {
      const principal = await holderOf(token);
      return principal && (await isThere(principal.workspaceId)) ? principal : null;
    },

    /** Workspaces have changed; what is still on its way is noted where nobody looks. */
    forget(): void {
      workspaces = new Map();
    },
  };
}

export type Tokens = ReturnType<typeof createTokens>;
