import { ERROR_CODES } from '../../errors.ts';
import type { Json } from './openapi-schemas.ts';
import { codesIn } from './problems.ts';
import { RATE_LIMIT_HEADERS } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Headers that the operation's answers have besides those that all have, for the contract. */
    sends?: readonly SentHeader[];
  }
}

const text = { type: 'string' };

/** Headers of answers that some operations have, with the statuses that they come with. */
const SENT = {
  ETag: {
    on: ['200', '201', '202', '206', '304'],
    description:
      'Names what was read, or what is there now: for `If-None-Match`, and `If-Match` where it is taken.',
    example: '"7"',
    schema: text,
  },
  Location: {
    on: ['200', '201', '202'],
    description: 'The address of what was made, or is being made: a path of this service.',
    example: '/projects/campaign-roi-analysis',
    schema: text,
  },
  'Upload-Result': {
    on: ['200', '201', '202'],
    description: 'What became of the upload of one file.',
    example: 'created',
    schema: { type: 'string', enum: ['created', 'replaced', 'unchanged', 'skipped'] },
  },
  'Preference-Applied': {
    on: ['200', '201', '202', '207'],
    description: 'The preference of `Prefer` that was followed; absent where none was sent.',
    example: 'wait=10',
    schema: text,
  },
  'X-File-Version': {
    on: ['200', '206', '304'],
    description: 'The version of the file that was read.',
    example: 2,
    schema: { type: 'integer', minimum: 1 },
  },
  'Accept-Ranges': {
    on: ['200', '206', '304'],
    description: 'Parts can be asked for, by `Range`.',
    example: 'bytes',
    schema: text,
  },
  'Content-Range': {
    on: ['206', '416'],
    description: 'Which bytes these are, and of how many; of how many only, where there are none.',
    example: 'bytes 0-99/1234',
    schema: text,
  },
  'Content-Disposition': {
    on: ['200', '206'],
    description: 'The name to keep it under.',
    example: 'attachment; filename="report.md"',
    schema: text,
  },
  'Mcp-Session-Id': {
    on: ['200'],
    description: 'In the answer to `initialize`: goes with every other message of the session.',
    example: '4f8c1d52-6a0e-4f55-9c1b-0a51a4f0c2de',
    schema: text,
  },
  'Retry-After': {
    on: ['200'],
    description: 'Seconds after which asking again makes sense.',
    example: 5,
    schema: { type: 'integer', minimum: 0 },
  },
} as const;

/** A header that an operation may say it sends. */
export type SentHeader = keyof typeof SENT;

/** Headers of answers that no operation has to name. */
const COMMON = {
  ...RATE_LIMIT_HEADERS,
  'Idempotency-Replayed': {
    description: 'This is the answer to an earlier request with the same key: nothing was done again.',
    example: 'true',
    schema: { type: 'string', enum: ['true'] },
  },
  'X-Request-Id': {
    description: 'The name of the request in logs: the one you sent under this name, or one that was made.',
    example: '0f3c8a52-1d5e-4c6b-9a77-3f1b2c4d5e6f',
    schema: text,
  },
};

type HeaderName = SentHeader | keyof typeof COMMON;

interface Operation {
  operationId: string;
  security?: object[];
  parameters?: Json[];
  responses: Record<string, { description?: string; headers?: object; content?: Json }>;
}

const isRefusal = (status: string): boolean => Number(status) >= 400;
/** Refusals that say when to come back, where something is known of that. */
const MAY_PASS = new Set(['409', '429', '503']);

/** The headers of one answer of an operation. */
function headersOf(operation: Operation, status: string, sends: readonly SentHeader[]): HeaderName[] {
  const takesKey = operation.parameters?.some(({ name }) => name === 'idempotency-key');
  const codes = codesIn(operation.responses[status]?.description ?? '');
  const named = sends.filter((name) => (SENT[name].on as readonly string[]).includes(status));
  const mayRetry = codes.some((code) => ERROR_CODES[code].retryable);
  return [
    ...named,
    ...(MAY_PASS.has(status) && mayRetry ? (['Retry-After'] as const) : []),
    ...(takesKey && !isRefusal(status) ? (['Idempotency-Replayed'] as const) : []),
    ...(operation.security?.length && /^2|^429$/.test(status)
      ? (['RateLimit-Policy', 'RateLimit'] as const)
      : []),
    // a problem document has it as `request_id`
    ...(isRefusal(status) ? [] : (['X-Request-Id'] as const)),
  ];
}

const refTo = (name: HeaderName) => [name, { $ref: `#/components/headers/${name}` }];

const PLAIN = 'Default Response';
const OPENINGS: Record<string, string> = { 201: 'It was made. ', 202: 'It was taken on, and goes on. ' };

/** What an answer says of itself where its operation does not: what its schema says. */
function describe(status: string, content: Json | undefined, schemas: Json): string {
  const [media] = Object.values(content ?? {}) as { schema?: Json }[];
  const schema = media?.schema ?? {};
  const forms = (schema.anyOf ?? [schema]) as Json[];
  const said = forms.map((form) => {
    const named = schemas[String(form.$ref ?? '').replace(/^.*\//, '')] as Json | undefined;
    return form.description ?? named?.description;
  });
  const all = said.filter((one) => one !== undefined).join(' Or: ');
  return `${OPENINGS[status] ?? ''}${all}`.trim() || 'The answer.';
}

/**
 * Says in the contract which headers answers have, and what each answer is.
 *
 * @param sends the headers that operations name, by operationId
 */
export function describeAnswers(document: Json, sends: ReadonlyMap<string, readonly SentHeader[]>): Json {
  const components = document.components as { headers?: Json; schemas: Json };
  const known = { ...SENT, ...COMMON };
  components.headers = Object.fromEntries(
    Object.entries(known).map(([name, { description, example, schema }]) => [
      name,
      { description, schema, example },
    ]),
  );
  const operations = Object.values(document.paths as Json).flatMap((path) => Object.values(path as Json));
  for (const operation of operations as Operation[]) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (response.description === PLAIN || response.description === undefined) {
        response.description = describe(status, response.content, components.schemas);
      }
      const names = headersOf(operation, status, sends.get(operation.operationId) ?? []);
      if (names.length > 0) response.headers = Object.fromEntries(names.map(refTo));
    }
  }
  return document;
}
