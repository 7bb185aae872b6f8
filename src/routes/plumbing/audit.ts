import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../../services/services.ts';
import { accessOf } from './access.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The audit log tells of it although it changes nothing. */
    audited?: boolean;
  }
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

function isAudited(request: FastifyRequest): boolean {
  const { audited } = request.routeOptions.config;
  if (audited !== undefined) return audited && request.method !== 'HEAD';
  const access = accessOf(request);
  return !READS.has(request.method) && access !== 'public' && access !== 'read';
}

/** What was made, where the answer says so, or else what the request named. */
function resourceOf(request: FastifyRequest, reply: FastifyReply): string {
  const made = reply.statusCode < 400 ? reply.getHeader('location') : undefined;
  return typeof made === 'string' ? made : (request.url.split('?')[0] ?? '');
}

/** Tells the audit log of what callers did, or were refused; nothing of bodies and parameters. */
export function registerAudit(app: FastifyInstance, services: Services): void {
  app.addHook('onResponse', async (request, reply) => {
    // who has shown no valid key is nobody's caller; the log of the service has it
    const principal = request.principal as FastifyRequest['principal'] | undefined;
    if (!principal || !isAudited(request)) return;
    services.audit.add({
      workspaceId: principal.workspaceId,
      at: new Date(),
      actor: principal.caller,
      actor_name: principal.name,
      action: request.routeOptions.schema?.operationId ?? request.method,
      resource: resourceOf(request, reply),
      status: reply.statusCode,
      request_id: request.id,
      address: request.ip,
    });
  });
}
