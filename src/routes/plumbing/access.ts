import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AccessScope } from '../../scope.ts';
import { addProblems, type Responses } from './declared-problems.ts';

/** What an operation asks of its caller: a scope, or nothing at all, not even a key. */
export type Access = AccessScope | 'public';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Where the method does not say it: reading needs `read`, everything else `write`. */
    access?: Access;
    /** It costs much more than a look into the database: a call of a model, or the conversion of a file. */
    isExpensive?: boolean;
  }
}

/** The name of the scheme in the contract. */
const SCHEME = 'apiKey';

export const SECURITY_SCHEMES = {
  [SCHEME]: {
    type: 'http' as const,
    scheme: 'bearer',
    description:
      'An API key, from `POST /keys` or `forge keys create`. Asked for as soon as there is one; a service on a network address makes one at its first start. The scopes are `read`, `write`, `admin` and `service`, each of which holds those before it. With `OIDC_ISSUER`, a token (JWT) of that identity provider serves as well.',
  },
};

/** The documentation is part of the contract, which anybody may read. */
const isDocumentation = (url: string): boolean => /^\/(docs(\/|$)|openapi\.json$)/.test(url);

const byMethod = (method: string | string[]): AccessScope =>
  [method].flat().every((one) => one === 'GET' || one === 'HEAD' || one === 'OPTIONS') ? 'read' : 'write';

/** What every operation that asks for a key can refuse its caller with. */
const REFUSALS = [
  'authentication_required',
  'key_not_valid',
  'scope_required',
  'too_many_failed_keys',
  'identity_provider_unavailable',
  'rate_limited',
] as const;

/** Gives every operation that follows what it asks of its caller, and says so in the contract. */
export function declareAccess(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const access = route.config?.access ?? (isDocumentation(route.url) ? 'public' : byMethod(route.method));
    route.config = { ...route.config, access };
    const { schema } = route;
    if (!schema || 'hide' in schema) return;
    const isPublic = access === 'public';
    const response = (schema.response ?? {}) as Responses;
    route.schema = {
      ...schema,
      security: isPublic ? [] : [{ [SCHEME]: [access] }],
      response: isPublic ? response : addProblems(response, ...REFUSALS),
    };
  });
}

/** What the operation of a request asks; `public` where there is no such operation. */
export const accessOf = (request: FastifyRequest): Access =>
  request.is404 ? 'public' : (request.routeOptions.config.access ?? 'service');
