import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, ERROR_CODES, type ErrorCode } from '../../errors.ts';
import { packageRoot } from '../../package-root.ts';
import type { Json } from './openapi-schemas.ts';
import { codesIn, problemDocument } from './problems.ts';

/** What `npm run openapi:examples` records of a session with the service. */
interface Examples {
  operations: Record<
    string,
    {
      parameters: Json;
      /** By media type. */
      request: Json;
      /** By status and media type; of a stream, events by their names. */
      responses: Record<string, Record<string, unknown>>;
    }
  >;
  problems: Record<string, unknown>;
}

interface Media {
  example?: unknown;
  examples?: Json;
}
interface Operation {
  operationId: string;
  parameters?: (Json & { name: string })[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description?: string; content?: Record<string, Media> }>;
}

const PROBLEM = 'application/problem+json';
/** Events of a stream that are shown: its beginning, its text and its end. */
const SHOWN_EVENTS = 3;

function readExamples(): Examples {
  const none = { operations: {}, problems: {} };
  try {
    return { ...none, ...JSON.parse(readFileSync(join(packageRoot, 'openapi', 'examples.json'), 'utf8')) };
  } catch {
    return none; // before they are recorded for the first time
  }
}

const eventsOf = (events: Json): Json => {
  const entries = Object.entries(events);
  const shown = [
    ...entries.slice(0, 1),
    ...entries.filter(([name]) => name === 'answer.delta'),
    ...entries.slice(-1),
  ];
  return Object.fromEntries(shown.slice(0, SHOWN_EVENTS).map(([name, value]) => [name, { value }]));
};

function addTo(operation: Operation, examples: Examples['operations'][string] | undefined): void {
  for (const parameter of operation.parameters ?? []) {
    const value = examples?.parameters[parameter.name];
    if (value !== undefined) parameter.example = value;
  }
  for (const [type, media] of Object.entries(operation.requestBody?.content ?? {})) {
    // the same may be sent under several types
    const value = examples?.request[type] ?? Object.values(examples?.request ?? {})[0];
    if (value !== undefined && /json/.test(type)) media.example = value;
  }
  for (const [status, { description = '', content = {} }] of Object.entries(operation.responses)) {
    for (const [type, media] of Object.entries(content)) {
      const value = examples?.responses[status]?.[type];
      if (type === PROBLEM) media.examples = refsTo(codesIn(description));
      else if (type === 'text/event-stream' && value) media.examples = eventsOf(value as Json);
      else if (value !== undefined) media.example = value;
    }
  }
}

const refsTo = (codes: ErrorCode[]): Json =>
  Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));

const codesOf = ({ responses }: Operation): ErrorCode[] =>
  Object.values(responses).flatMap(({ description = '' }) => codesIn(description));

/** A problem of a code as the service words it where nothing more is known. */
const plainProblem = (code: ErrorCode) =>
  problemDocument(new AppError(code), { id: '00000000-0000-4000-8000-000000000000', url: '/projects' });

/** Shows in the contract what was really asked and answered, and for each refusal the problems that it can be. */
export function addExamples(document: Json): Json {
  const { operations, problems } = readExamples();
  const all = Object.values(document.paths as Json).flatMap((path) => Object.values(path as Json));
  for (const operation of all as Operation[]) addTo(operation, operations[operation.operationId]);
  const used = new Set((all as Operation[]).flatMap(codesOf));
  const components = document.components as Json;
  components.examples = Object.fromEntries(
    (Object.keys(ERROR_CODES) as ErrorCode[])
      .filter((code) => used.has(code))
      .map((code) => [
        code,
        { summary: ERROR_CODES[code].title, value: problems[code] ?? plainProblem(code) },
      ]),
  );
  return document;
}
