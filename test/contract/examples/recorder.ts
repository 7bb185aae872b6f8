import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, vi } from 'vitest';
import { packageRoot } from '../../../src/package-root.ts';
import type { TestApp } from '../../helpers/app.ts';
import { openStream, parseEvents } from '../../helpers/sse.ts';
import { createStandIns } from './stand-ins.ts';

// biome-ignore lint/suspicious/noExplicitAny: the contract and what is answered have any shape
type Json = any;

/** What the examples of one operation are, as `openapi/examples.json` has them. */
interface OperationExamples {
  parameters: Record<string, unknown>;
  request: Record<string, unknown>;
  /** By status and media type; of a stream, events by their names. */
  responses: Record<string, Record<string, unknown>>;
}

export interface Examples {
  operations: Record<string, OperationExamples>;
  /** A problem document of each code that came up. */
  problems: Record<string, unknown>;
}

/** How an operation is called: parameters by their names, and the body. */
export interface Call {
  path?: Record<string, string | number>;
  query?: Record<string, string | number>;
  headers?: Record<string, string>;
  body?: unknown;
  /** A body that is sent as it is, with its type. */
  raw?: { type: string; payload: string | Buffer };
}

const documentPath = join(packageRoot, 'openapi', 'openapi.json');
/** Bytes have no example in JSON. */
const isText = (type: string): boolean => /json|text\//.test(type);

async function readOperations() {
  const document: Json = JSON.parse(await readFile(documentPath, 'utf8'));
  const operations = new Map<string, { method: string; path: string; node: Json }>();
  for (const [path, methods] of Object.entries<Json>(document.paths)) {
    for (const [method, node] of Object.entries<Json>(methods)) {
      operations.set(node.operationId, { method: method.toUpperCase(), path, node });
    }
  }
  return { document, operations };
}

/** The address of a call. */
function urlOf(template: string, { path = {}, query = {} }: Call): string {
  const address = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
  const parameters = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return parameters.size > 0 ? `${address}?${parameters}` : address;
}

/** What an answer says, as its example holds it; undefined of bytes. */
function contentOf(type: string, text: string): unknown {
  if (type === 'text/event-stream') {
    return Object.fromEntries(parseEvents(text).map((event) => [event.event, event]));
  }
  if (/\bjson$/.test(type)) return JSON.parse(text);
  return isText(type) || type === 'application/jsonl' ? text : undefined;
}

/**
 * Calls operations by their names, and keeps a request and an answer of each, checked against the contract.
 *
 * @param examples what was kept already
 */
export async function createRecorder(app: TestApp, examples: Examples = { operations: {}, problems: {} }) {
  const { document, operations } = await readOperations();
  const standIn = createStandIns();
  /** Where an answer is not what the contract says. */
  const faults: string[] = [];
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'contract');

  function expectValid(place: string, value: unknown): void {
    if (ajv.validate({ $ref: `contract#${place}` }, value)) return;
    faults.push(`${place}: ${ajv.errorsText()}`);
  }

  /** That an answer has no header of the contract that it is not said to have. */
  function expectDeclared(name: string, declared: object, headers: object): void {
    for (const header of Object.keys(document.components.headers)) {
      if (header.toLowerCase() in headers && !(header in declared)) faults.push(`${name} has ${header}`);
    }
  }

  function schemaPlace(path: string, method: string, rest: string[]): string {
    const escaped = ['paths', path, method.toLowerCase(), ...rest, 'schema'].map((part) =>
      encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
    );
    return `/${escaped.join('/')}`;
  }

  return {
    document,
    examples,
    faults,
    /** Keeps of a stream that has no end what its events tell until one of this name has come. */
    async follow(operationId: string, name: string, call: Call = {}): Promise<void> {
      const { method, path } = operations.get(operationId) ?? { method: '', path: '' };
      if (!app.app.server.listening) await app.app.listen({ host: '127.0.0.1', port: 0 });
      const stream = await openStream(`${app.app.listeningOrigin}${urlOf(path, call)}`);
      await stream.until(name);
      stream.leave();
      const type = 'text/event-stream';
      const shown = Object.fromEntries(stream.events.map(({ event, data }) => [event, standIn(data)]));
      const own = examples.operations[operationId];
      if (own) own.responses[200] = { ...own.responses[200], [type]: shown };
      const place = schemaPlace(path, method, ['responses', '200', 'content', type]);
      for (const event of Object.values(shown)) expectValid(place, event);
    },
    /** Asks, without recording it, until the answer is what is waited for. */
    async waitFor(operationId: string, wanted: object, call: Call = {}): Promise<void> {
      const url = urlOf(operations.get(operationId)?.path ?? '', call);
      const isThere = async () => expect((await app.app.inject(url)).json()).toMatchObject(wanted);
      await vi.waitFor(isThere, { timeout: 120_000, interval: 20 });
    },
    async call(operationId: string, status: number, call: Call = {}) {
      const operation = operations.get(operationId);
      if (!operation) throw new Error(`there is no operation ${operationId}`);
      const { method, path, node } = operation;
      const type = call.raw?.type ?? (call.body === undefined ? undefined : 'application/json');
      const response = await app.app.inject({
        method: method as 'GET',
        url: urlOf(path, call),
        headers: { ...(type !== undefined && { 'content-type': type }), ...call.headers },
        ...(type !== undefined && { payload: call.raw?.payload ?? JSON.stringify(call.body) }),
      });
      const declared = node.responses[response.statusCode];
      if (response.statusCode !== status || !declared) {
        faults.push(`${operationId}: ${response.statusCode} for ${status}: ${response.body.slice(0, 300)}`);
        return { ...response, value: {} as Json };
      }
      // a refusal says in its document what these say, and who is refused hears of no limit
      if (status < 400) expectDeclared(`${operationId} ${status}`, declared.headers ?? {}, response.headers);
      const own = examples.operations[operationId] ?? { parameters: {}, request: {}, responses: {} };
      examples.operations[operationId] = own;
      if (status < 400) {
        const sent = standIn({ ...call.path, ...call.query, ...call.headers }) as Json;
        const named = (node.parameters ?? []).filter(({ name }: Json) => name in sent);
        const shown = Object.fromEntries(named.map(({ name }: Json) => [name, sent[name]]));
        own.parameters = { ...shown, ...own.parameters };
      }
      const asked = type?.split(';')[0];
      const isBytes = call.raw !== undefined && !/json/.test(asked ?? '');
      if (asked !== undefined && !isBytes && status < 400 && !(asked in own.request)) {
        own.request[asked] = standIn(call.body ?? String(call.raw?.payload));
        expectValid(schemaPlace(path, method, ['requestBody', 'content', asked]), own.request[asked]);
      }
      const answered = String(response.headers['content-type'] ?? '').split(';')[0] ?? '';
      const value = response.body === '' ? undefined : contentOf(answered, response.body);
      if (value === undefined) return { ...response, value: value as Json };
      const shown = standIn(value) as Json;
      if (answered === 'application/problem+json') {
        examples.problems[shown.code] ??= shown;
        return { ...response, value: value as Json };
      }
      const seen = own.responses[status] ?? {};
      own.responses[status] = seen;
      seen[answered] ??= shown;
      const media = declared.content?.[answered] ? answered : '*/*';
      const place = schemaPlace(path, method, ['responses', String(status), 'content', media]);
      const values = answered === 'text/event-stream' ? Object.values(shown) : [shown];
      for (const one of values) expectValid(place, one);
      return { ...response, value: value as Json };
    },
  };
}

export type Recorder = Awaited<ReturnType<typeof createRecorder>>;
