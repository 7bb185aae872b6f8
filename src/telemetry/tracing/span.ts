import { type Attributes, context, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { AppError } from '../../errors.ts';
import { contextOf } from './traceparent.ts';

/** How a span begins. */
export interface SpanTerms {
  /** Its part in a conversation; left out: none, it is work of this process. */
  kind?: 'server' | 'client' | 'consumer';
  /** Names of the program, numbers, and ids that the service has made: nothing that anybody wrote. */
  attributes?: Attributes;
  /** What it goes on with instead of what is being done here: the `traceparent` of another process, or undefined for nothing. */
  from?: { traceparent: unknown };
}

/** A span that has begun. */
export interface RunningSpan {
  set(attributes: Attributes): void;
  /** Does something as a part of it: spans that begin therein are its children. */
  run<T>(work: () => T): T;
  /** Says what went wrong in it, by an error or by a name of the program; the first one stands. */
  fail(why: unknown): void;
  end(): void;
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };

/** What stands for a span where nothing is traced. */
const NO_SPAN: RunningSpan = { set: () => {}, run: (work) => work(), fail: () => {}, end: () => {} };

let tracer: Tracer | undefined;

/** Has spans made from now on, or no more. To be called by `startTracing` alone. */
export function traceWith(next: Tracer | undefined): void {
  tracer = next;
}

/** What an error is called: never its message, which may quote what somebody wrote. */
function nameOf(why: unknown): string {
  if (typeof why === 'string') return why;
  if (why instanceof AppError) return why.code;
  return why instanceof Error ? why.name : typeof why;
}

/** Begins a span, which is to be ended. Where work has a beginning and an end of its own, `withSpan` is simpler. */
export function startSpan(name: string, { kind, attributes, from }: SpanTerms = {}): RunningSpan {
  if (tracer === undefined) return NO_SPAN;
  const parent = from ? contextOf(from.traceparent) : context.active();
  const options = { kind: kind ? KINDS[kind] : SpanKind.INTERNAL, ...(attributes && { attributes }) };
  const span = tracer.startSpan(name, options, parent);
  const inside = trace.setSpan(parent, span);
  let hasFailed = false;
  return {
    set: (more) => void span.setAttributes(more),
    run: (work) => context.with(inside, work),
    fail(why) {
      if (hasFailed) return;
      hasFailed = true;
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', nameOf(why));
    },
    end: () => span.end(),
  };
}

/** Does work in a span of its own, which says when it fails. */
export async function withSpan<T>(
  name: string,
  terms: SpanTerms,
  work: (span: RunningSpan) => Promise<T>,
): Promise<T> {
  const span = startSpan(name, terms);
  try {
    return await span.run(() => work(span));
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

/** A part of what is being done here that was measured elsewhere; in milliseconds since 1970. */
export function recordSpan(name: string, { from, to }: { from: number; to: number }): void {
  tracer?.startSpan(name, { startTime: from }, context.active()).end(to);
}

/**
 * The function as a part of what is being done here, whoever calls it. Events of a child process or a socket come in the name
 * of whatever work was the first to need it.
 */
export const inThisSpan = <A extends unknown[], R>(fn: (...args: A) => R): ((...args: A) => R) =>
  context.bind(context.active(), fn);

/** By which the log's lines are found again that belong to a trace. */
export function activeTrace(): { trace_id: string; span_id: string } | undefined {
  if (tracer === undefined) return undefined;
  const span = trace.getSpanContext(context.active());
  return span && { trace_id: span.traceId, span_id: span.spanId };
}
