import { z } from 'zod';
import { recordSpan, withSpan } from '../telemetry/tracing/span.ts';
import type { Exchange, MeasuredStep, Outcome } from './exchange.ts';

/** How the requests of a pool are shown in traces. */
export interface PoolTrace {
  pool: string;
  /** What its processes may say that they have done. */
  steps: readonly string[];
}

/** A process sends a handful at most. */
const MOST_STEPS = 16;

const now = (): number => performance.timeOrigin + performance.now();

/**
 * What can be believed of the steps that a process tells of: it may have been taken over by what it reads, and writes into
 * nobody's trace but what it could have done meanwhile, under the names that it has.
 */
export function believableSteps(said: unknown, names: readonly string[], asked: number): MeasuredStep[] {
  const step = z
    .object({ name: z.enum(names), from: z.number(), to: z.number() })
    .refine(({ from, to }) => from <= to);
  const { data = [] } = z.array(step).max(MOST_STEPS).safeParse(said);
  const answered = now();
  const meanwhile = (at: number): number => Math.min(Math.max(at, asked), answered);
  return data.map(({ name, from, to }) => ({ name, from: meanwhile(from), to: meanwhile(to) }));
}

/**
 * Has a request served in a span, from when it is asked until it is answered; what its process has measured becomes parts of
 * that. The process exports nothing: it knows no address and no secret.
 */
export function traceRequest<X extends Exchange>(
  trace: PoolTrace | undefined,
  serve: (onSteps: (said: unknown) => void) => Promise<Outcome<X>>,
): Promise<Outcome<X>> {
  if (trace === undefined) return serve(() => undefined);
  const asked = now();
  const attributes = { 'forge.process.pool': trace.pool };
  return withSpan(`process ${trace.pool}`, { attributes }, async (span) => {
    let said: unknown = [];
    const outcome = await serve((steps) => {
      said = steps;
    });
    span.set({ 'forge.process.outcome': outcome.kind });
    if (outcome.kind !== 'result') span.fail(outcome.kind);
    for (const { name, ...times } of believableSteps(said, trace.steps, asked)) recordSpan(name, times);
    return outcome;
  });
}
