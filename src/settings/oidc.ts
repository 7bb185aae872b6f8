import { z } from 'zod';
import { integer, optional, withDefault } from './schemas.ts';

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);
/** In place of a prefix: scopes go by their plain names. */
const NONE = 'none';

/** Keys that come unprotected could be anybody's, so plain HTTP is for this machine alone. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
  return isSafe && `${username}${password}${search}${hash}` === '';
}

/** The settings of an identity provider whose tokens are taken besides keys. */
export const oidcSettings = {
  OIDC_ISSUER: optional(
    z
      .string()
      .refine(
        isIssuer,
        'must be an https:// URL without credentials, query and fragment, as https://login.example/realms/a, or http:// of this machine',
      ),
  ),
  OIDC_AUDIENCE: optional(z.string()),
  OIDC_WORKSPACE_CLAIM: withDefault(z.string(), 'forge_workspace'),
  OIDC_SCOPES_CLAIM: withDefault(z.string(), 'scope'),
  OIDC_SCOPE_PREFIX: withDefault(
    z.string().transform((text) => (text === NONE ? '' : text)),
    'forge:',
  ),
  OIDC_CLOCK_TOLERANCE_SECONDS: withDefault(integer(0, 300), 5),
};

type OidcSettings = z.infer<z.ZodObject<typeof oidcSettings>>;

/** The provider and what its tokens say, together; null: keys are all that opens the service. */
export function resolveOidc(settings: OidcSettings) {
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience } = settings;
  if (issuer === undefined || audience === undefined) return { oidc: null };
  return {
    oidc: {
      issuer,
      audience,
      workspaceClaim: settings.OIDC_WORKSPACE_CLAIM,
      scopesClaim: settings.OIDC_SCOPES_CLAIM,
      scopePrefix: settings.OIDC_SCOPE_PREFIX,
      toleranceSeconds: settings.OIDC_CLOCK_TOLERANCE_SECONDS,
    },
  };
}

/** What is missing: a token that was made for another service must not open this one. */
export const oidcProblems = ({ OIDC_ISSUER, OIDC_AUDIENCE }: OidcSettings): string[] =>
  OIDC_ISSUER !== undefined && OIDC_AUDIENCE === undefined
    ? ['OIDC_AUDIENCE: has to be set with OIDC_ISSUER: what its tokens for this service have as "aud"']
    : [];
