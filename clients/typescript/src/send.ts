import { ConnectionError, ForgeError, problemOf } from './problem.ts';

export interface ForgeOptions {
  /** Address of the service, with the path below which it is, if any. */
  baseUrl: string;
  /** An API key, or a token of the service's identity provider; a function is asked before each request. */
  apiKey?: string | (() => string | Promise<string>);
  /** Requests that are made for one call at most, the first included. Default: 5. */
  attempts?: number;
  /** Longest pause between two of them, in milliseconds; the service may ask for longer, which then fails at once. Default: 30,000. */
  longestPauseMs?: number;
  /** Whether what failed is tried again, of what can be. Default: all of it. */
  retryIf?: (error: ForgeError | ConnectionError) => boolean;
  /** Default: the platform's. */
  fetch?: typeof fetch;
}

/** A request as it is sent, once or several times. */
export interface Outgoing {
  method: string;
  /** With its query, below the base. */
  path: string;
  headers?: Record<string, string>;
  /** Made anew for each attempt: a body may be readable once. */
  body?: () => NonNullable<RequestInit['body']>;
  signal?: AbortSignal | undefined;
  /** Whether it may be done twice, or is known by its key to have been done: it is sent again when the line broke. */
  isRepeatable: boolean;
  /** A status that is an answer although it is no success. */
  expects?: number;
  /** What sends it; left out: fetch. */
  transport?: Transport | undefined;
}

export type Transport = (url: string, init: RequestInit) => Promise<Response>;

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Waits; ends early, with the signal's reason, when it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/**
 * Sends requests, again where that is safe and worth it: what the service calls retryable, since nothing of it was done, and
 * connections that break, where the request is repeatable.
 */
export function createSender(options: ForgeOptions) {
  const { attempts = ATTEMPTS, longestPauseMs = LONGEST_PAUSE_MS, retryIf = () => true } = options;
  const fetchIt: Transport = options.fetch ?? ((url, init) => fetch(url, init));
  const base = options.baseUrl.replace(/\/+$/, '');

  /** Longer each time, by chance between a half and all of it, so that clients do not come back together. */
  const pauseBefore = (attempt: number): number =>
    Math.min(longestPauseMs, LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)) *
    (0.5 + Math.random() / 2);

  async function sendOnce(request: Outgoing): Promise<Response> {
    const { method, path, headers = {}, body, signal, expects, transport = fetchIt } = request;
    const { apiKey } = options;
    const key = typeof apiKey === 'function' ? await apiKey() : apiKey;
    const content = body?.();
    const sent = transport(`${base}${path}`, {
      method,
      headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
      ...(content !== undefined && { body: content }),
      // Node.js wants to be told that a stream is sent before the answer comes
      ...(content instanceof ReadableStream && { duplex: 'half' }),
      ...(signal && { signal }),
    } as RequestInit);
    const response = await sent.catch((cause: unknown) => {
      signal?.throwIfAborted();
      throw new ConnectionError(`There is no service to be reached at ${base}.`, { cause });
    });
    if (response.ok || response.status === expects) return response;
    throw await problemOf(response);
  }

  function pauseAfter(error: unknown, isRepeatable: boolean, attempt: number): number | null {
    const isOurs = error instanceof ForgeError || error instanceof ConnectionError;
    if (!isOurs || attempt >= attempts || !retryIf(error)) return null;
    // what is behind a connection that broke may have been done
    if (error instanceof ConnectionError) return isRepeatable ? pauseBefore(attempt) : null;
    const { retryable, code, retry_after_s: seconds } = error.problem;
    // somebody else's turn runs: that is for the caller to know
    if (!retryable || (error.status === 409 && code !== 'idempotency_in_progress')) return null;
    const ms = seconds === undefined ? pauseBefore(attempt) : seconds * 1000;
    return ms <= longestPauseMs ? ms : null;
  }

  return {
    /** Milliseconds to wait before the `attempt`th time that something is tried anew, from 1. */
    pauseBefore,

    /** @throws ForgeError what the service refuses; ConnectionError when it cannot be reached */
    async send(request: Outgoing): Promise<Response> {
      const keyed =
        request.method === 'POST'
          ? { ...request, headers: { 'idempotency-key': crypto.randomUUID(), ...request.headers } }
          : request;
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await sendOnce(keyed);
        } catch (error) {
          request.signal?.throwIfAborted();
          const ms = pauseAfter(error, request.isRepeatable, attempt);
          if (ms === null) throw error;
          await pause(ms, request.signal);
        }
      }
    },
  };
}

export type Sender = ReturnType<typeof createSender>;
