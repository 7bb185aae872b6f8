import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { SHORT_SECONDS } from './buckets.ts';

/** A request that was answered, or whose client has gone. */
export interface AnsweredRequest {
  /** The operation's name in the contract; undefined where there is none. */
  operation: string | undefined;
  method: string;
  /** The status code; null when the client had gone before the answer's end. */
  status: number | null;
  /** The code of the problem that it was answered with. */
  problem: string | undefined;
  /** Whether the answer was a stream of events, which lasts as long as its client likes. */
  isStream: boolean;
  seconds: number;
}

const UNMATCHED = 'unmatched';

/** Requests and their answers, by operation: never by path. */
export function createHttpMetrics(registry: Registry) {
  const registers = [registry];
  const requests = new Counter({
    name: 'forge_http_requests_total',
    help: 'Requests that have ended, by operation and status; `aborted`: the client had gone.',
    labelNames: ['operation', 'method', 'status'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'forge_http_request_duration_seconds',
    help: 'Time until an answer was sent, event streams left out.',
    labelNames: ['operation'] as const,
    buckets: SHORT_SECONDS,
    registers,
  });
  const problems = new Counter({
    name: 'forge_http_problems_total',
    help: 'Requests that were answered with a problem, by its code.',
    labelNames: ['code'] as const,
    registers,
  });
  const inFlight = new Gauge({
    name: 'forge_http_requests_in_flight',
    help: 'Requests that are being answered, event streams included.',
    registers,
  });
  const streams = new Gauge({
    name: 'forge_event_streams_open',
    help: 'Event streams that are open.',
    registers,
  });
  return {
    streams: (open: number) => streams.set(open),
    begun: () => inFlight.inc(),
    ended({ operation = UNMATCHED, method, status, problem, isStream, seconds }: AnsweredRequest): void {
      inFlight.dec();
      requests.inc({
        operation,
        // anybody may send a method that no operation has
        method: operation === UNMATCHED ? 'any' : method,
        status: status ?? 'aborted',
      });
      if (!isStream) durations.observe({ operation }, seconds);
      if (problem !== undefined) problems.inc({ code: problem });
    },
  };
}
