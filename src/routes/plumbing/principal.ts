import type { FastifyInstance } from 'fastify';
import { OPEN_PRINCIPAL, type Principal } from '../../scope.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sends it: whose data there are for it, and what it may do with them. */
    principal: Principal;
  }
}

/** Tells of every request who sends it, before any of its body is read. */
export function registerPrincipal(app: FastifyInstance): void {
  app.decorateRequest('principal');
  app.addHook('onRequest', async (request) => {
    request.principal = OPEN_PRINCIPAL;
  });
}
