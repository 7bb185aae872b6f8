import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Services } from '../../services/services.ts';
import { problemOf } from './problems.ts';

const operationOf = ({ routeOptions }: FastifyRequest): string | undefined =>
  routeOptions.schema?.operationId;

/** Counts and times every request that comes to an operation, or to none, whether or not its client waits for the end. */
export function measureRequests(app: FastifyInstance, services: Pick<Services, 'metrics'>): void {
  app.addHook('onRequest', async (request, reply) => {
    const { http } = services.metrics;
    const from = performance.now();
    http.begun();
    // the one event that comes however an answer ends
    reply.raw.once('close', () =>
      http.ended({
        operation: operationOf(request),
        method: request.method,
        status: reply.raw.writableEnded ? reply.raw.statusCode : null,
        problem: problemOf(reply),
        isStream: String(reply.raw.getHeader('content-type') ?? '').startsWith('text/event-stream'),
        seconds: (performance.now() - from) / 1_000,
      }),
    );
  });
}
