import { type DestinationStream, type LevelWithSilentOrString, type Logger, pino } from 'pino';
import { activeTrace } from './tracing/span.ts';

const LONGEST_MESSAGE = 300;
const MOST_FRAMES = 12;
const DEEPEST_CAUSE = 4;

/** What an error is to be known by, of any library. */
interface Described extends Error {
  code?: unknown;
  status?: unknown;
  statusCode?: unknown;
  constraint?: unknown;
  table?: unknown;
}

/** What the log has of an error. */
interface LoggedError {
  type: string;
  message?: string;
  code?: string;
  status?: number;
  constraint?: string;
  table?: string;
  stack: string;
  cause?: LoggedError;
}

/** A text of the service without what it quotes: names and values are somebody's. */
export const withoutQuoted = (text: string): string =>
  text.replace(/"[^"]*"?/g, '"…"').slice(0, LONGEST_MESSAGE);

const only = <K extends string, V>(key: K, value: unknown, is: (value: unknown) => value is V) =>
  (is(value) ? { [key]: value } : {}) as Partial<Record<K, V>>;
const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';

/** Where it happened; a stack begins with the message. */
const framesOf = ({ stack = '' }: Error): string =>
  stack
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, MOST_FRAMES)
    .join('\n');

/**
 * An error as the log may have it: what kind, where, and why as far as the service says so itself. Providers' answers repeat
 * prompts, and Postgres quotes rows: of an answer over HTTP and of what caused it only the status is kept, of all else no
 * property but those that name things of the program.
 */
export function loggedError(error: unknown, depth = 0, isForeign = false): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, stack: '' };
  const { name, code, status, statusCode, constraint, table, cause } = error as Described;
  const answered = status ?? statusCode;
  const isAnswer = isForeign || isNumber(answered);
  const message = isAnswer ? error.message.split(/[:{]/, 1)[0]?.trim() : error.message;
  return {
    type: name,
    ...(!isForeign && message && { message: withoutQuoted(message) }),
    ...only('code', code, isText),
    ...only('status', answered, isNumber),
    ...only('constraint', constraint, isText),
    ...only('table', table, isText),
    stack: framesOf(error),
    ...(cause instanceof Error &&
      depth < DEEPEST_CAUSE && { cause: loggedError(cause, depth + 1, isAnswer) }),
  };
}

interface LoggedRequest {
  method: string;
  url: string;
  ip?: string;
}

/** The service's log: JSON lines, without contents and secrets. */
export function createLog(level: LevelWithSilentOrString, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    mixin: () => activeTrace() ?? {},
    serializers: {
      err: (error: unknown) => loggedError(error),
      error: (error: unknown) => loggedError(error),
      detail: (detail: unknown) => (isText(detail) ? withoutQuoted(detail) : undefined),
      // the values of a query string may be contents, headers may be secrets
      req: ({ method, url, ip }: LoggedRequest) => ({ method, url: url.split('?', 1)[0], remoteAddress: ip }),
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
