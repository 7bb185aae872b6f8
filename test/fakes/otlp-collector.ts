import type { ServerResponse } from 'node:http';
import { startHttpServer } from './http-server.ts';

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number; boolValue?: boolean };
}

/** A span as OTLP writes it in JSON. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  status: { code: number };
}

interface Batch {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: CollectedSpan[] }[] }[];
}

/** The value of an attribute, or undefined where there is none. */
export const attributeOf = ({ attributes }: Pick<CollectedSpan, 'attributes'>, name: string) =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0];

/**
 * A collector of traces, over HTTP as OTLP has it.
 *
 * @param answer what it does with what it is sent; left out: takes it
 */
export async function startFakeCollector(
  answer: (response: ServerResponse) => void = (response) => response.end('{}'),
) {
  const bodies: string[] = [];
  const server = await startHttpServer(async (request, body, response) => {
    if (request.url === '/v1/traces') bodies.push(body);
    answer(response);
  });
  const batches = () => bodies.map((body) => JSON.parse(body) as Batch).flatMap((each) => each.resourceSpans);
  const spans = () => batches().flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));

  /** The names of what began in a span, those of what began therein below them, further in. */
  function below(parentId: string, indent = ''): string[] {
    const children = spans().filter(({ parentSpanId }) => parentSpanId === parentId);
    const named = children.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return named.flatMap(({ name, spanId }) => [indent + name, ...below(spanId, `${indent}  `)]);
  }
  return {
    ...server,
    /** All that it was sent, as it came. */
    text: () => bodies.join('\n'),
    requests: () => bodies.length,
    resource: () => batches()[0]?.resource ?? { attributes: [] },
    spans,
    below,
    find: (name: string) => spans().find((span) => span.name === name),
  };
}

export type FakeCollector = Awaited<ReturnType<typeof startFakeCollector>>;
