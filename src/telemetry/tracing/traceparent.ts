import { type Context, context, ROOT_CONTEXT, type TextMapPropagator } from '@opentelemetry/api';

interface Carrier {
  traceparent?: unknown;
}

const KEY = 'traceparent';

let propagator: TextMapPropagator<Carrier> | undefined;

/** Has traces go on beyond this process from now on, or no more. To be called by `startTracing` alone. */
export function propagateWith(next: TextMapPropagator<Carrier> | undefined): void {
  propagator = next;
}

/**
 * What a `traceparent` of W3C Trace Context says that work is a part of; anything else begins a trace of its own. Its companion
 * `tracestate` is left where it is: what is in it is for others, and would be exported as it came.
 */
export function contextOf(traceparent: unknown): Context {
  if (propagator === undefined || typeof traceparent !== 'string') return ROOT_CONTEXT;
  return propagator.extract(
    ROOT_CONTEXT,
    { traceparent },
    { keys: () => [KEY], get: (_carrier, key) => (key === KEY ? traceparent : undefined) },
  );
}

/** The `traceparent` of what is being done here, to be kept with work for later; undefined where nothing is traced. */
export function currentTraceparent(): string | undefined {
  let current: string | undefined;
  propagator?.inject(
    context.active(),
    {},
    {
      set: (_carrier, key, value) => {
        if (key === KEY) current = value;
      },
    },
  );
  return current;
}
