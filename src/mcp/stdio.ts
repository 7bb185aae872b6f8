import type { Readable, Writable } from 'node:stream';
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  ErrorCode,
  isInitializedNotification,
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';

export interface StdioBridge {
  /** The address of the service's MCP. */
  url: URL;
  /** Sent as a bearer token; null: none. */
  key: string | null;
  stdin: Readable;
  /** Carries messages of the protocol and nothing else. */
  stdout: Writable;
  /** Aborted to end it. */
  signal: AbortSignal;
  /** Told what goes wrong, in words. */
  onProblem(text: string): void;
}

/** How long what was asked may still be answered when the input has ended: a client that is there closes it to end us. */
const LAST_ANSWERS_MS = 5_000;
/** The stream of notifications is opened again for as long as we run. */
const RECONNECTION = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: Number.MAX_SAFE_INTEGER,
};

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A session over HTTP as one end of the bridge. */
function openRemote({ url, key }: StdioBridge, onMessage: (message: JSONRPCMessage) => void) {
  const headers = key === null ? {} : { authorization: `Bearer ${key}` };
  const remote = new StreamableHTTPClientTransport(url, {
    requestInit: { headers },
    reconnectionOptions: RECONNECTION,
  });
  remote.onmessage = onMessage;
  return remote;
}

/**
 * Speaks MCP over stdin and stdout for a service that speaks it over HTTP: each message goes on as it is. A session that the
 * service has lost, since it was started again, is begun anew behind the client's back.
 *
 * @returns when the input has ended and the last answers were written, or the signal was given
 */
export async function bridgeStdio(bridge: StdioBridge): Promise<void> {
  const { stdin, stdout, signal, onProblem } = bridge;
  const local = new StdioServerTransport(stdin, stdout);
  const pending = new Set<RequestId>();
  let handshake: JSONRPCMessage | null = null;
  /** Settled when the service knows us: what comes before would be refused. */
  let ready: Promise<void> = Promise.resolve();
  let onReady = (): void => undefined;
  let onAnswered = (): void => undefined;
  let remote = openRemote(bridge, fromService);

  function fromService(message: JSONRPCMessage): void {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      const isHandshake = handshake !== null && 'id' in handshake && handshake.id === message.id;
      if (isHandshake && isJSONRPCResultResponse(message)) {
        const { protocolVersion } = message.result;
        if (typeof protocolVersion === 'string') remote.setProtocolVersion(protocolVersion);
      }
      if (message.id !== undefined && !pending.delete(message.id)) return onReady();
      if (isHandshake) onReady();
    }
    void local.send(message).then(onAnswered);
  }

  function awaitHandshake(): void {
    ready = new Promise((resolve) => {
      onReady = resolve;
    });
  }

  /** Begins a session in the place of one that the service does not know any more. */
  async function beginAgain(): Promise<void> {
    if (handshake === null) return;
    await remote.close();
    remote = openRemote(bridge, fromService);
    await remote.start();
    awaitHandshake();
    await remote.send(handshake);
    await ready;
    await remote.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  async function forward(message: JSONRPCMessage): Promise<void> {
    try {
      await remote.send(message);
    } catch (error) {
      if (!(error instanceof StreamableHTTPError) || error.code !== 404 || message === handshake) throw error;
      await beginAgain();
      await remote.send(message);
    }
  }

  local.onmessage = (message) => {
    const isHandshake = isInitializeRequest(message);
    const before = ready;
    if (isJSONRPCRequest(message)) pending.add(message.id);
    if (isHandshake) {
      handshake = message;
      awaitHandshake();
    }
    const sent = (isHandshake ? before : ready).then(() => forward(message));
    // what follows the handshake waits until it is through
    if (isInitializedNotification(message)) ready = sent.catch(() => undefined);
    sent.catch((error: unknown) => {
      onReady();
      onProblem(wordsOf(error));
      if (!isJSONRPCRequest(message) || !pending.delete(message.id)) return;
      const failure = { code: ErrorCode.InternalError, message: wordsOf(error) };
      void local.send({ jsonrpc: '2.0', id: message.id, error: failure }).then(onAnswered);
    });
  };
  local.onerror = (error) => onProblem(wordsOf(error));

  await remote.start();
  await local.start();
  await ended(stdin, signal);
  await new Promise<void>((resolve) => {
    onAnswered = () => {
      if (pending.size === 0) resolve();
    };
    signal.addEventListener('abort', () => resolve(), { once: true });
    setTimeout(resolve, LAST_ANSWERS_MS).unref();
    if (signal.aborted) resolve();
    onAnswered();
  });
  await remote.terminateSession().catch(() => undefined);
  await remote.close();
  await local.close();
}

/** Waits until nothing more comes, or the signal is given. */
function ended(stdin: Readable, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['end', 'close']) stdin.once(event, () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted || stdin.readableEnded || stdin.destroyed) resolve();
  });
}
