import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Services } from '../../services/services.ts';
import { type RunningSpan, startSpan } from '../../telemetry/tracing/span.ts';
import { problemOf } from './problems.ts';

declare module 'fastify' {
  interface FastifyRequest {
    span: RunningSpan;
  }
}

const operationOf = ({ routeOptions }: FastifyRequest): string | undefined =>
  routeOptions.schema?.operationId;

/** Goes on with the trace of a client that has one. Of the path only its pattern is told: ids are chosen by clients. */
function startRequestSpan({ method, routeOptions, headers }: FastifyRequest): RunningSpan {
  const { url: route } = routeOptions;
  return startSpan(route === undefined ? method : `${method} ${route}`, {
    kind: 'server',
    attributes: { 'http.request.method': method, ...(route !== undefined && { 'http.route': route }) },
    from: { traceparent: headers.traceparent },
  });
}

/** A client may leave a stream of events whenever it likes; an answer, it is taken to have given up. */
function endRequestSpan(
  span: RunningSpan,
  { status, problem, isStream }: { status: number | null; problem: string | undefined; isStream: boolean },
): void {
  if (status !== null) span.set({ 'http.response.status_code': status });
  if (problem !== undefined) span.set({ 'forge.problem': problem });
  if (status === null && !isStream) span.fail('client_gone');
  if (status !== null && status >= 500) span.fail(problem ?? String(status));
  span.end();
}

/**
 * Counts and times every request that comes to an operation, or to none, whether or not its client waits for the end; its
 * span is the one that all its work is a part of.
 */
export function measureRequests(app: FastifyInstance, services: Pick<Services, 'metrics'>): void {
  app.decorateRequest('span');
  app.addHook('onRequest', (request, reply, next) => {
    const { http } = services.metrics;
    const from = performance.now();
    const span = startRequestSpan(request);
    request.span = span;
    http.begun();
    // the one event that comes however an answer ends
    reply.raw.once('close', () => {
      const status = reply.raw.writableEnded ? reply.raw.statusCode : null;
      const problem = problemOf(reply);
      const isStream = String(reply.raw.getHeader('content-type') ?? '').startsWith('text/event-stream');
      http.ended({
        operation: operationOf(request),
        method: request.method,
        status,
        problem,
        isStream,
        seconds: (performance.now() - from) / 1_000,
      });
      endRequestSpan(span, { status, problem, isStream });
    });
    span.run(next);
  });
  // its body comes from the socket, which is of no trace
  app.addHook('preValidation', (request, _reply, next) => request.span.run(next));
}
