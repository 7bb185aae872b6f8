import { type RequestOptions, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { parseRetryAfter } from '../../retry.ts';
import { scopedSignal } from '../../scoped-signal.ts';
import { AddressNotAllowed, addressInUrl, isPublicAddress, publicLookup } from './addresses.ts';

/** How a message ended at its receiver. */
export interface SendResult {
  /** Null: no answer came. */
  statusCode: number | null;
  /** Why it was not taken; null: it was. */
  error: string | null;
  /** Seconds after which the receiver wants it again, if it has said so. */
  retryAfterSeconds: number;
}

export interface SendOptions {
  timeoutMs: number;
  allowPrivate: boolean;
  /** Ends what is under way. */
  signal?: AbortSignal;
}

const lookup = publicLookup();
/** What is sent in one go: whoever has asked for more has another look. */
const MOST_RETRY_SECONDS = 3_600;

const retryAfter = (header: string | undefined): number =>
  Math.min(Math.ceil(parseRetryAfter(header) ?? 0), MOST_RETRY_SECONDS);

const CODES: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was broken off',
  ENOTFOUND: 'the name of the host is not known',
  EAI_AGAIN: 'the name of the host could not be looked up',
};

/** Why no answer came, without what only the service's network knows. */
function reasonOf(error: unknown): string {
  if (error instanceof AddressNotAllowed) return error.message;
  const { name, code } = error as { name?: string; code?: string };
  if (name === 'TimeoutError') return 'no answer came in time';
  if (name === 'AbortError') return 'the service stopped';
  return CODES[code ?? ''] ?? `the request failed${code ? ` (${code})` : ''}`;
}

/**
 * Posts a message. Redirects are not followed, the body of the answer is not read, and nothing is sent to addresses that are not
 * public unless that is allowed: the address that was checked is the one that is connected to. Never rejects.
 */
export async function send(
  address: string,
  { headers, body }: { headers: Record<string, string>; body: string },
  { timeoutMs, allowPrivate, signal }: SendOptions,
): Promise<SendResult> {
  const url = new URL(address);
  const literal = addressInUrl(url);
  const scoped = scopedSignal([signal], { timeoutMs });
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    agent: false,
    signal: scoped.signal,
    ...(!allowPrivate && { lookup }),
  };
  try {
    if (!allowPrivate && literal !== null && !isPublicAddress(literal)) throw new AddressNotAllowed(literal);
    return await new Promise<SendResult>((resolve, reject) => {
      const post = url.protocol === 'https:' ? requestTls : requestPlain;
      const request = post(url, options, (response) => {
        const { statusCode = 0, headers: answered } = response;
        const isTaken = statusCode >= 200 && statusCode < 300;
        resolve({
          statusCode,
          error: isTaken ? null : `the receiver answered ${statusCode}`,
          retryAfterSeconds: retryAfter(answered['retry-after']),
        });
        response.destroy();
      });
      request.on('error', reject);
      request.end(body);
    });
  } catch (error) {
    // an aborted request says so by the same name, whatever has ended it
    const cause = scoped.timedOut ? scoped.signal.reason : error;
    return { statusCode: null, error: reasonOf(cause), retryAfterSeconds: 0 };
  } finally {
    scoped.close();
  }
}
