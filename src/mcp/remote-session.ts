import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  isInitializedNotification,
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
} from '@modelcontextprotocol/sdk/types.js';

/** The stream of notifications is opened again for as long as the session lasts. */
const RECONNECTION = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: Number.MAX_SAFE_INTEGER,
};

export interface RemoteService {
  /** The address of its MCP. */
  url: URL;
  /** Sent as a bearer token; null: none. */
  key: string | null;
}

function open(
  { url, key }: RemoteService,
  onMessage: (message: JSONRPCMessage) => void,
): StreamableHTTPClientTransport {
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: key === null ? {} : { authorization: `Bearer ${key}` } },
    reconnectionOptions: RECONNECTION,
  });
  transport.onmessage = onMessage;
  return transport;
}

/**
 * A session with a service over HTTP, for a client that takes it for the service itself: messages go on as they are. What
 * comes after the handshake waits until that is through. A session that the service has lost, since it was started again,
 * is begun anew behind the client's back; its subscriptions are gone then.
 */
export function createRemoteSession(service: RemoteService, onMessage: (message: JSONRPCMessage) => void) {
  let handshake: JSONRPCRequest | null = null;
  /** The answer to a handshake that the client has not asked for is not shown to it. */
  let isRepeated = false;
  let ready: Promise<void> = Promise.resolve();
  let onReady = (): void => undefined;
  let transport = open(service, receive);

  function receive(message: JSONRPCMessage): void {
    const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    if (!isAnswer || message.id !== handshake?.id) {
      onMessage(message);
      return;
    }
    const version = isJSONRPCResultResponse(message) ? message.result.protocolVersion : undefined;
    if (typeof version === 'string') transport.setProtocolVersion(version);
    onReady();
    if (!isRepeated) onMessage(message);
  }

  async function shake(request: JSONRPCRequest): Promise<void> {
    ready = new Promise((resolve) => {
      onReady = resolve;
    });
    handshake = request;
    try {
      await transport.send(request);
    } catch (error) {
      onReady();
      throw error;
    }
  }

  async function beginAgain(request: JSONRPCRequest): Promise<void> {
    await transport.close();
    transport = open(service, receive);
    await transport.start();
    isRepeated = true;
    await shake(request);
    await ready;
    await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  /** One that finds the session lost begins another; those that come meanwhile wait for it. */
  let beginning: Promise<void> | null = null;

  async function sendInSession(message: JSONRPCMessage): Promise<void> {
    const asked = transport;
    try {
      await asked.send(message);
    } catch (error) {
      const isLost = error instanceof StreamableHTTPError && error.code === 404;
      if (!isLost || handshake === null) throw error;
      if (asked === transport) {
        beginning ??= beginAgain(handshake).finally(() => {
          beginning = null;
        });
      }
      await beginning;
      await transport.send(message);
    }
  }

  return {
    start: () => transport.start(),

    /** @throws Error what became of a message that could not be sent, or was refused */
    async send(message: JSONRPCMessage): Promise<void> {
      if (isInitializeRequest(message)) {
        isRepeated = false;
        return shake(message as JSONRPCRequest);
      }
      await ready;
      const sent = sendInSession(message);
      if (isInitializedNotification(message)) ready = sent.catch(() => undefined);
      return sent;
    },

    async end(): Promise<void> {
      await transport.terminateSession().catch(() => undefined);
      await transport.close();
    },
  };
}
