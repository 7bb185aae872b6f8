import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Spends } from '../../services/limits/spending.ts';
import type { Services } from '../../services/services.ts';
import { addProblems, type Responses } from './declared-problems.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It calls models, now or in a job. */
    spends?: Spends;
  }
}

/**
 * Refuses what would spend more than the workspace has left of the month, and says so in the contract of the operations that
 * follow. Comes after idempotency: an answer that is repeated spends nothing.
 */
export function registerSpending(app: FastifyInstance, services: Services): void {
  app.addHook('onRoute', ({ config, schema }) => {
    if (!schema || !config?.spends) return;
    schema.response = addProblems((schema.response ?? {}) as Responses, 'quota_exceeded', 'price_unknown');
  });
  app.addHook('preHandler', async (request) => {
    const principal = request.principal as FastifyRequest['principal'] | undefined;
    const { spends } = request.routeOptions.config;
    if (spends && principal) await services.spending.assertMaySpend(principal.workspaceId, spends);
  });
}
