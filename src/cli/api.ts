import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { List } from '../contract/list.ts';
import { type Problem, problemSchema } from '../contract/problem.ts';
import { CliError, EXIT, problemError } from './exit.ts';

/** An event of a stream; `data` as JSON has it. */
export interface ApiEvent {
  id: number;
  event: string;
  data: unknown;
}

interface CallOptions {
  /** Sent as JSON, or as it is when it is a form or a file. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

const isRaw = (body: unknown): body is FormData | Blob => body instanceof FormData || body instanceof Blob;

/** A key that has sent too much waits so many times for each of its requests. */
const MOST_WAITS = 10;

function failure(response: Response, problem: Problem | null): CliError {
  if (problem) return problemError(problem);
  const what = `${response.url} answered ${response.status}, and not as Forge does.`;
  return new CliError(EXIT.unavailable, `${what} Is FORGE_URL the address of a Forge service?`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * The operations of a service over HTTP.
 *
 * @param origin of the service, with the path below which it is, if any
 * @param key sent as a bearer token; null: none
 */
export function createApi(origin: string, key: string | null) {
  const base = origin.replace(/\/+$/, '');

  /** @throws CliError what the service refuses, or that it cannot be reached */
  async function call(method: string, path: string, options: CallOptions = {}): Promise<Response> {
    for (let waits = 0; ; waits += 1) {
      const response = await send(method, path, options);
      if (response.ok) return response;
      const problem = problemOf(parsed(await response.text()));
      // nothing of it was done
      const isEarly = problem?.code === 'rate_limited' && waits < MOST_WAITS;
      if (!isEarly) throw failure(response, problem);
      await wait((problem.retry_after_s ?? 1) * 1000, undefined, {
        ...(options.signal && { signal: options.signal }),
      });
    }
  }

  async function send(
    method: string,
    path: string,
    { body, headers, signal }: CallOptions,
  ): Promise<Response> {
    try {
      return await fetch(`${base}${path}`, {
        method,
        headers: {
          ...(key !== null && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && !isRaw(body) && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
        ...(signal && { signal }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new CliError(EXIT.unavailable, `There is no service to be reached at ${base}.`, error);
    }
  }

  return {
    call,

    /** What all addresses begin with. */
    base,

    /** What is sent as a bearer token; null: nothing. */
    key,

    /** The answer as JSON. */
    async json<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
      return (await (await call(method, path, options)).json()) as T;
    },

    /** All pages of a list. */
    async *list<T>(path: string, query: Record<string, string> = {}): AsyncGenerator<T> {
      for (let after: string | null = ''; after !== null; ) {
        const page: URLSearchParams = new URLSearchParams({
          limit: '100',
          ...query,
          ...(after !== '' && { after }),
        });
        const found: List<T> = await this.json('GET', `${path}?${page}`);
        yield* found.data;
        after = found.has_more ? found.last_id : null;
      }
    },

    /** The events of a stream, as they come. */
    async *events(method: string, path: string, options: CallOptions = {}): AsyncGenerator<ApiEvent> {
      const headers = { ...options.headers, accept: 'text/event-stream' };
      const response = await call(method, path, { ...options, headers });
      const found: ApiEvent[] = [];
      const parser = createParser({
        onEvent: ({ id, event = 'message', data }) =>
          void found.push({ id: Number(id ?? 0), event, data: parsed(data) }),
      });
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) {
        parser.feed(decoder.decode(chunk, { stream: true }));
        yield* found.splice(0);
      }
    },
  };
}

export type Api = ReturnType<typeof createApi>;

/** The body of an answer, to be read piece by piece. */
export const bodyOf = (response: Response): Readable =>
  Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);

/** The problem document that a failed run of any kind ends its stream with. */
export const problemOf = (data: unknown): Problem | null => {
  const problem = problemSchema.safeParse(data);
  return problem.success ? problem.data : null;
};
