import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, scopeRequired } from '../../errors.ts';
import { allows, OPEN_PRINCIPAL, type Principal } from '../../scope.ts';
import type { Services } from '../../services/services.ts';
import { inWorkspace } from '../../workspace-context.ts';
import { accessOf, declareAccess } from './access.ts';
import { createFailedKeys } from './failed-keys.ts';
import { endWithTheirKeys } from './open-requests.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Who sends it: whose data there are for it, and what it may do with them. Operations that are for everybody (health,
     * the contract) have none, and must not ask.
     */
    principal: Principal;
  }
}

/** A token is longer than a key. */
const BEARER = /^bearer +([\x21-\x7e]{1,8192}) *$/i;

const challenge = (reply: FastifyReply, rest = ''): FastifyReply =>
  reply.header('www-authenticate', `Bearer realm="Forge"${rest}`);

/** Everything that follows is done for the caller's workspace. */
function enterWorkspace(request: FastifyRequest, _reply: FastifyReply, next: () => void): void {
  const principal = request.principal as Principal | undefined;
  if (principal) inWorkspace(principal.workspaceId, next);
  else next();
}

/**
 * Tells of every request who sends it, and refuses what that caller may not do, before any of its body is read. Services are
 * asked for only with the first request.
 */
export function registerPrincipal(app: FastifyInstance, services: Services): void {
  const failed = createFailedKeys();
  const watchOpen = endWithTheirKeys(
    app,
    async (key) => (await services.authentication.principalOf(key)) !== null,
  );

  /** @throws AppError `authentication_required`, `key_not_valid`, `too_many_failed_keys`, `identity_provider_unavailable` */
  async function principalOf(request: FastifyRequest, reply: FastifyReply): Promise<Principal> {
    const { authentication } = services;
    if (!(await authentication.isAsked())) return OPEN_PRINCIPAL;
    const { authorization } = request.headers;
    if (authorization === undefined) {
      challenge(reply);
      throw new AppError('authentication_required', {
        detail: 'Send an API key: "Authorization: Bearer KEY". An administrator makes one with POST /keys.',
      });
    }
    const key = BEARER.exec(authorization)?.[1] ?? '';
    const isKey = authentication.isKey(key);
    // whoever guesses from a caller's address does not lock that caller out
    const waitSeconds = isKey && !authentication.isRemembered(key) ? failed.waitSeconds(request.ip) : 0;
    if (waitSeconds > 0) {
      throw new AppError('too_many_failed_keys', {
        detail: 'Too many keys from this address were not valid. Wait before you try another.',
        retryAfterSeconds: waitSeconds,
      });
    }
    const principal = key === '' ? null : await authentication.principalOf(key);
    if (principal) {
      watchOpen(key, reply.raw);
      return principal;
    }
    if (isKey) failed.count(request.ip);
    challenge(reply, ', error="invalid_token"');
    throw new AppError('key_not_valid', {
      detail: isKey
        ? 'The key is not known, was revoked, or has expired.'
        : 'The token is not one for this service, names no workspace of it, or has expired.',
    });
  }

  declareAccess(app);
  app.decorateRequest('principal');
  app.addHook('onRequest', async (request, reply) => {
    const access = accessOf(request);
    if (access === 'public') return;
    const principal = await principalOf(request, reply);
    request.principal = principal;
    if (allows(principal, access)) return;
    challenge(reply, `, error="insufficient_scope", scope="${access}"`);
    throw scopeRequired(access, principal.scopes);
  });
  app.addHook('onRequest', enterWorkspace);
  // its body comes from the socket, which is of no workspace
  app.addHook('preValidation', enterWorkspace);
}
