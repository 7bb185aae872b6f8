import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Witness } from '../../services/audit.ts';
import type { Services } from '../../services/services.ts';
import { accessOf } from './access.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The audit log tells of it although it changes nothing. */
    audited?: boolean;
  }
  interface FastifyRequest {
    /** What it did was written with it. */
    isWitnessed: boolean;
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

const entryOf = (request: FastifyRequest, resource: string, status: number) => ({
  workspaceId: request.principal.workspaceId,
  at: new Date(),
  actor: request.principal.caller,
  actor_name: request.principal.name,
  action: request.routeOptions.schema?.operationId ?? request.method,
  resource,
  status,
  request_id: request.id,
  address: request.ip,
});

/**
 * Has the audit log told by the transaction that does what a request asks for, so that there is neither without the other. What is
 * refused is told as with any request.
 *
 * @param status of the answer when it is done
 */
export const witnessOf =
  (request: FastifyRequest, { audit }: Services, status = 200): Witness =>
  async (tx, { workspaceId, resource }) => {
    await audit.write(tx, entryOf(request, resource, status), workspaceId);
    request.isWitnessed = true;
  };

/** Tells the audit log of what callers did, or were refused; nothing of bodies and parameters. */
export function registerAudit(app: FastifyInstance, services: Services): void {
  app.decorateRequest('isWitnessed', false);
  app.addHook('onResponse', async (request, reply) => {
    // who has shown no valid key is nobody's caller; the log of the service has it
    const principal = request.principal as FastifyRequest['principal'] | undefined;
    if (!principal || !isAudited(request)) return;
    if (request.isWitnessed && reply.statusCode < 400) return;
    services.audit.add(entryOf(request, resourceOf(request, reply), reply.statusCode));
  });
}
