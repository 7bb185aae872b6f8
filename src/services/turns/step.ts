import { performance } from 'node:perf_hooks';
import type { Timings } from '../../contract/timings.ts';
import { withSpan } from '../../telemetry/tracing/span.ts';
import type { Journal } from './journal.ts';

/** Takes a step of a turn in a span. How long it took is in the journal when it has come to its end. */
export function takeStep<T>(
  journal: Pick<Journal, 'time'>,
  step: keyof Timings,
  work: () => Promise<T>,
): Promise<T> {
  return withSpan(`turn ${step}`, {}, async () => {
    const from = performance.now();
    const result = await work();
    journal.time(step, performance.now() - from);
    return result;
  });
}
