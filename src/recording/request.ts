import { createHash } from 'node:crypto';
import type { CallKind } from './traffic.ts';

/** A request without what is secret or says nothing: no headers, no host, no query. */
export interface RecordedRequest {
  method: string;
  /** The last part of its path: `messages`, `embeddings`. What stands before it hangs on the address that was set. */
  operation: string;
  /** As JSON where it is some. */
  body: unknown;
}

/** The request that an SDK is about to send. */
export function readRequest(
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
): RecordedRequest {
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  const text = typeof init?.body === 'string' ? init.body : '';
  return {
    method: init?.method ?? 'GET',
    operation: pathname.split('/').findLast((part) => part !== '') ?? '',
    body: parsed(text),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Differ from run to run although everything else is the same. */
const VOLATILE: readonly [RegExp, string][] = [
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi, '<uuid>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)/g, '<time>'],
];

/** A JSON value with its members in order of their names, and times and random ids left out. */
export function canonical(value: unknown): unknown {
  if (typeof value === 'string') {
    return VOLATILE.reduce((text, [pattern, name]) => text.replace(pattern, name), value);
  }
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, canonical(member)]));
}

/** What a request goes by: the same for the same content, whenever and to whatever address it is sent. */
export function keyOf({ provider }: CallKind, request: RecordedRequest): string {
  const content = JSON.stringify([provider, canonical(request)]);
  return createHash('sha256').update(content).digest('hex').slice(0, 20);
}
