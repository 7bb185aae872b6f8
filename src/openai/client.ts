import OpenAI, { APIError } from 'openai';
import { Stream } from 'openai/streaming';
import { isMissing } from '../recording/missing.ts';
import { parseRetryAfter } from '../retry.ts';

/** Where a server that speaks OpenAI's API is, and how to come in. */
export interface OpenAiConnection {
  /** Undefined: nothing is sent; local servers ask for none. */
  apiKey: string | undefined;
  /** With its version, as `http://localhost:11434/v1`; undefined: OpenAI's own. */
  baseUrl: string | undefined;
  /** In place of the network's own. */
  fetch?: typeof fetch;
}

/** What a server has said of a failure, in whichever of their forms. */
export class ServerFailure extends Error {
  /** Undefined for one that was reported in a stream, and for a connection that failed. */
  readonly status: number | undefined;
  readonly isConnection: boolean;
  /** The server's own words, for the log and to tell failures apart; may be empty. */
  readonly detail: string;
  /** The server's own name of the failure, as `context_length_exceeded`. */
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;
  /** The answer stands for a recording that there is not. */
  readonly isMissing: boolean;

  constructor(error: unknown) {
    const known = error instanceof APIError ? error : undefined;
    const { detail, code } = readBody(known?.error);
    super(detail === '' ? 'the server failed' : detail, { cause: error });
    this.status = known?.status;
    this.isConnection = known === undefined || (known.status === undefined && known.error === undefined);
    this.detail = detail;
    this.code = code;
    this.retryAfterSeconds = parseRetryAfter(known?.headers?.get('retry-after'));
    this.isMissing = isMissing(known?.headers);
  }
}

/** Errors come as OpenAI's `{error: {message}}`, and as text, `message` or `detail` from other servers. */
function readBody(body: unknown): { detail: string; code: string } {
  if (typeof body === 'string') return { detail: body, code: '' };
  if (typeof body !== 'object' || body === null) return { detail: '', code: '' };
  const { error, message, detail, code, type } = body as Record<string, unknown>;
  if (error !== undefined && error !== null) return readBody(error);
  const said = [message, detail].find((text) => typeof text === 'string') ?? '';
  return {
    detail: String(said),
    code: String([code, type].find((name) => typeof name === 'string') ?? ''),
  };
}

/** The SDK keeps only the member `error` of a refusal, and some servers have none. */
class PlainClient extends OpenAI {
  protected override makeStatusError(
    status: number,
    body: object | undefined,
    message: string | undefined,
    headers: Headers,
  ): APIError {
    return super.makeStatusError(status, { error: body ?? message ?? '' }, undefined, headers);
  }
}

const BASE_URL = 'https://api.openai.com/v1';

/**
 * Requests to a server that speaks OpenAI's API. Nothing is tried again here, and nothing is read from the environment.
 * What fails is thrown as `ServerFailure`.
 *
 * @param options.timeoutMs until the headers of an answer
 */
export function createOpenAiClient(connection: OpenAiConnection & { timeoutMs: number }) {
  const { apiKey, baseUrl = BASE_URL, timeoutMs } = connection;
  const client = new PlainClient({
    apiKey: apiKey ?? 'none',
    ...(apiKey === undefined && { defaultHeaders: { authorization: null } }),
    // given always, or the SDK looks into the environment by itself
    baseURL: baseUrl,
    adminAPIKey: null,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: 'off',
    ...(connection.fetch && { fetch: connection.fetch }),
  });

  return {
    async post(path: string, body: object, signal: AbortSignal): Promise<Response> {
      try {
        return await client.post<Response>(path, { body, signal }).asResponse();
      } catch (error) {
        throw new ServerFailure(error);
      }
    },

    /** The values of a stream of events, up to its end. An error among them is thrown. */
    async *events<T>(response: Response): AsyncGenerator<T> {
      try {
        yield* Stream.fromSSEResponse<T>(response, new AbortController(), client);
      } catch (error) {
        throw new ServerFailure(error);
      }
    },
  };
}
