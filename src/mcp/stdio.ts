import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  ErrorCode,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { createRemoteSession, type RemoteService } from './remote-session.ts';

export interface StdioBridge extends RemoteService {
  stdin: Readable;
  /** Carries messages of the protocol and nothing else. */
  stdout: Writable;
  /** Aborted to end it. */
  signal: AbortSignal;
  /** Told what goes wrong, in words. */
  onProblem(text: string): void;
}

/** How long what was asked may still be answered when the input has ended: a client closes it to end us. */
const LAST_ANSWERS_MS = 5_000;

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The requests that were not answered yet. */
function createPending() {
  const pending = new Set<RequestId>();
  let onNone = (): void => undefined;
  return {
    add: (message: JSONRPCMessage): void => {
      if (isJSONRPCRequest(message)) pending.add(message.id);
      // what is cancelled is never answered
      else if ('method' in message && message.method === 'notifications/cancelled') {
        pending.delete(message.params?.requestId as RequestId);
      }
    },
    answered(message: JSONRPCMessage): void {
      if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message)) return;
      if (message.id !== undefined) pending.delete(message.id);
      if (pending.size === 0) onNone();
    },
    /** Waits until there are none, as long as `signal` lets it. */
    none: (signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        onNone = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
        if (signal.aborted || pending.size === 0) resolve();
      }),
  };
}

/** Waits until nothing more comes in, or the signal is given. */
const inputEnded = (stdin: Readable, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    for (const event of ['end', 'close']) stdin.once(event, () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted || stdin.readableEnded || stdin.destroyed) resolve();
  });

/**
 * Speaks MCP over stdin and stdout for a service that speaks it over HTTP.
 *
 * @returns when the input has ended and the last answers were written, or the signal was given
 */
export async function bridgeStdio(bridge: StdioBridge): Promise<void> {
  const { stdin, stdout, signal, onProblem } = bridge;
  const local = new StdioServerTransport(stdin, stdout);
  const pending = createPending();
  const answer = (message: JSONRPCMessage): void => {
    void local.send(message).then(() => pending.answered(message));
  };
  const session = createRemoteSession(bridge, answer);
  const fail = (message: JSONRPCMessage, error: unknown): void => {
    onProblem(wordsOf(error));
    if (!isJSONRPCRequest(message)) return;
    const { id } = message;
    answer({ jsonrpc: '2.0', id, error: { code: ErrorCode.InternalError, message: wordsOf(error) } });
  };
  local.onmessage = (message) => {
    pending.add(message);
    session.send(message).catch((error: unknown) => fail(message, error));
  };
  local.onerror = (error) => onProblem(wordsOf(error));
  await session.start();
  await local.start();
  await inputEnded(stdin, signal);
  await pending.none(AbortSignal.any([signal, AbortSignal.timeout(LAST_ANSWERS_MS)]));
  await session.end();
  await local.close();
}
