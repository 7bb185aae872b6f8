import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  isInitializedNotification,
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
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

/** Begins the ids of requests that the client has not sent, whose answers are not shown to it. */
const REPEATED = 'forge:repeated:';

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

/** The client's subscriptions, to be made again in another session. */
function createSubscriptions() {
  const byUri = new Map<unknown, JSONRPCRequest>();
  return {
    note(message: JSONRPCMessage): void {
      if (!isJSONRPCRequest(message)) return;
      if (message.method === 'resources/subscribe') byUri.set(message.params?.uri, message);
      if (message.method === 'resources/unsubscribe') byUri.delete(message.params?.uri);
    },
    again: (): JSONRPCRequest[] =>
      [...byUri].map(([uri, request]) => ({ ...request, id: `${REPEATED}${uri}` })),
  };
}

/** Holds back what is to come after something else. */
function createGate() {
  let passed: Promise<void> = Promise.resolve();
  let open = (): void => undefined;
  return {
    passed: () => passed,
    shut(): void {
      passed = new Promise((resolve) => {
        open = resolve;
      });
    },
    open: () => open(),
    /** Shut until something is over, be it well or not. */
    hold(work: Promise<void>): void {
      passed = work.catch(() => undefined);
    },
  };
}

/** The version that a handshake has agreed on goes with every request. */
function keepVersion(transport: StreamableHTTPClientTransport, message: JSONRPCMessage): void {
  const version = isJSONRPCResultResponse(message) ? message.result.protocolVersion : undefined;
  if (typeof version === 'string') transport.setProtocolVersion(version);
}

const isLost = (error: unknown): boolean => error instanceof StreamableHTTPError && error.code === 404;

/**
 * A session with a service over HTTP, for a client that takes it for the service itself: messages go on as they are. What
 * comes after the handshake waits until that is through. A session that the service has lost, since it was started again,
 * is begun anew behind the client's back, with its subscriptions; that lists may have changed meanwhile is told.
 */
export function createRemoteSession(service: RemoteService, onMessage: (message: JSONRPCMessage) => void) {
  let handshake: JSONRPCRequest | null = null;
  /** The answer to a handshake that the client has not asked for is not shown to it. */
  let isRepeated = false;
  const gate = createGate();
  let transport = begin();
  let beginning: Promise<void> | null = null;
  const subscriptions = createSubscriptions();

  function begin(): StreamableHTTPClientTransport {
    const begun = open(service, receive);
    // the stream of notifications finds out first while the client is silent; what it cannot do the next message tries again
    begun.onerror = (error) => {
      if (isLost(error)) replaced(begun).catch(() => undefined);
    };
    return begun;
  }

  function receive(message: JSONRPCMessage): void {
    const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    if (!isAnswer || message.id !== handshake?.id) {
      if (!isAnswer || !String(message.id).startsWith(REPEATED)) onMessage(message);
      return;
    }
    keepVersion(transport, message);
    gate.open();
    if (!isRepeated) onMessage(message);
  }

  async function shake(request: JSONRPCRequest): Promise<void> {
    gate.shut();
    handshake = request;
    await transport.send(request).catch((error: unknown) => {
      gate.open();
      throw error;
    });
  }

  async function beginAgain(request: JSONRPCRequest): Promise<void> {
    await transport.close();
    transport = begin();
    await transport.start();
    isRepeated = true;
    await shake(request);
    await gate.passed();
    await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    for (const subscription of subscriptions.again()) await transport.send(subscription);
    onMessage({ jsonrpc: '2.0', method: 'notifications/resources/list_changed' });
  }

  /** What finds the session lost first begins another; the rest waits for it. */
  async function replaced(lost: StreamableHTTPClientTransport): Promise<void> {
    if (handshake !== null && lost === transport && lost.sessionId !== undefined) {
      beginning ??= beginAgain(handshake).finally(() => {
        beginning = null;
      });
    }
    await beginning;
  }

  async function sendInSession(message: JSONRPCMessage): Promise<void> {
    const asked = transport;
    await asked.send(message).catch(async (error: unknown) => {
      if (!isLost(error)) throw error;
      await replaced(asked);
      await transport.send(message);
    });
  }

  return {
    start: () => transport.start(),

    /** @throws Error what became of a message that could not be sent, or was refused */
    async send(message: JSONRPCMessage): Promise<void> {
      if (isInitializeRequest(message)) {
        isRepeated = false;
        return shake(message as JSONRPCRequest);
      }
      subscriptions.note(message);
      await gate.passed();
      const sent = sendInSession(message);
      if (isInitializedNotification(message)) gate.hold(sent);
      return sent;
    },

    async end(): Promise<void> {
      await transport.terminateSession().catch(() => undefined);
      await transport.close();
    },
  };
}
