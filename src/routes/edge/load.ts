import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';
import { addProblems, type Responses } from '../plumbing/declared-problems.ts';

/** From when on the process takes on nothing that is expensive; 0: there is no limit. */
export interface LoadLimits {
  /** Expensive requests that are answered at the same time. */
  expensiveRequests: number;
  /** Milliseconds by which everything in the process comes late, on average of about a second. */
  delayMs: number;
}

/** Tells how late everything in the process comes at the moment, in milliseconds. */
export type DelayGauge = () => number;

const WINDOW_MS = 1_000;
const RESOLUTION_MS = 20;
const RETRY_SECONDS = 5;

/** Measures the delay of the event loop, a second at a time. */
function watchDelay(app: FastifyInstance): DelayGauge {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let lateMs = 0;
  const timer = setInterval(() => {
    // what is measured is the time between two looks, NaN where there was none: then it stood still for all of it
    lateMs = Math.max(0, (histogram.count > 0 ? histogram.mean / 1e6 : WINDOW_MS) - RESOLUTION_MS);
    histogram.reset();
  }, WINDOW_MS).unref();
  histogram.enable();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    histogram.disable();
  });
  return () => lateMs;
}

/**
 * Keeps the process from drowning: while it comes late with everything, or has its hands full, what calls models or converts
 * files is refused before it is read, and what merely looks, cancels and deletes is served on.
 */
export function shedLoad(
  app: FastifyInstance,
  { expensiveRequests, delayMs }: LoadLimits,
  gauge: DelayGauge = delayMs > 0 ? watchDelay(app) : () => 0,
): void {
  let inFlight = 0;

  app.addHook('onRoute', (route) => {
    const { schema } = route;
    if (route.config?.isExpensive !== true || !schema) return;
    route.schema = { ...schema, response: addProblems((schema.response ?? {}) as Responses, 'overloaded') };
  });
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.isExpensive !== true) return;
    const isLate = delayMs > 0 && gauge() > delayMs;
    if (isLate || (expensiveRequests > 0 && inFlight >= expensiveRequests)) {
      throw new AppError('overloaded', {
        detail:
          'The service has more to do than it can at the moment. Nothing of your request was done: send it again in a few seconds.',
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
    inFlight += 1;
    reply.raw.once('close', () => {
      inFlight -= 1;
    });
  });
}
