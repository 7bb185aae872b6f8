import { randomUUID } from 'node:crypto';
import { context } from '@opentelemetry/api';
import { within } from '../../within.ts';
import { traceWith } from './span.ts';
import { propagateWith } from './traceparent.ts';

/** What is still to be exported when the process ends has so long, in milliseconds. */
const LAST_EXPORT_MS = 2_000;
/** A collector that fails is told of once in so long, in milliseconds. */
const COMPLAINT_MS = 60_000;

interface TracingLog {
  warn(details: object, message: string): void;
}

/** The traces of this process. */
export interface Tracing {
  /** Exports what has ended so far. Rejects when the collector does not take it. */
  flush(): Promise<void>;
  /** Exports what it can in two seconds at most; nothing is traced any more from then on. Never rejects. */
  stop(): Promise<void>;
}

/**
 * Begins to trace, and to export what is traced to the collector that OTEL_* variables name; the SDK reads them by itself. It is
 * loaded here and nowhere else, so that who traces nothing does not pay for it.
 *
 * Only the service's own spans are made: neither the SDK's provider nor its propagator is registered with the API, where
 * libraries would look for them. Some trace themselves, and may be told by variables to put prompts into their spans.
 */
export async function startTracing(version: string, log: TracingLog): Promise<Tracing> {
  const [sdk, { OTLPTraceExporter }, { AsyncLocalStorageContextManager }, core, resources] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/core'),
      import('@opentelemetry/resources'),
    ]);
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = resources;
  const own = { 'service.name': 'forge', 'service.version': version, 'service.instance.id': randomUUID() };
  core.setGlobalErrorHandler(complainRarely(log));
  const provider = new sdk.BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes(own))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(new OTLPTraceExporter())],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagateWith(new core.W3CTraceContextPropagator());
  traceWith(provider.getTracer('forge', version));
  return {
    flush: () => provider.forceFlush(),
    async stop() {
      traceWith(undefined);
      propagateWith(undefined);
      await within(provider.shutdown().catch(core.globalErrorHandler), LAST_EXPORT_MS, undefined);
      context.disable();
    },
  };
}

/** Says that the collector fails; by the error's kind alone, since its words are the collector's. */
function complainRarely(log: TracingLog): (error: unknown) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (performance.now() - last < COMPLAINT_MS) return;
    last = performance.now();
    const { name, code } = error as { name?: unknown; code?: unknown };
    log.warn({ reason: name, code }, 'traces could not be exported, and are lost');
  };
}
