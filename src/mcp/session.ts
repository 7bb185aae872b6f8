import { randomUUID } from 'node:crypto';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  isJSONRPCRequest,
  JSONRPCNotificationSchema,
  type RequestId,
  RequestIdSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Principal } from '../scope.ts';
import type { createChangeWatch } from './change-watch.ts';
import type { McpConnection } from './connection.ts';
import { createInterest } from './interest.ts';
import { createMcpServer } from './server.ts';

/** Requests of one session that are under way, at most. */
const MOST_OPEN = 32;

const cancelSchema = JSONRPCNotificationSchema.extend({
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId: RequestIdSchema }),
});

/** The ids of the requests that a body holds. */
const requestIds = (body: unknown): RequestId[] =>
  (Array.isArray(body) ? body : [body]).flatMap((message) => (isJSONRPCRequest(message) ? [message.id] : []));

/** What one client said to us under one session id, and what runs of it. */
export interface Session {
  server: Server;
  /** Who began it. */
  principal: Principal;
  /** When nothing of it runs: since when, by the clock; null while something does. */
  idleSince(): number | null;
  /** Whether no more may be begun. */
  isFull(): boolean;
  /**
   * Answers a request.
   *
   * @param gone aborted when its connection is closed, be it answered or not
   */
  handle(request: Request, body: unknown, gone: AbortSignal): Promise<Response>;
}

/**
 * Begins a session.
 *
 * @param onBegun told its id when the client is through with the handshake
 * @param onEnded told when the client has ended it, or it was closed
 */
export async function createSession(
  connection: McpConnection,
  watch: ReturnType<typeof createChangeWatch>,
  { onBegun, onEnded }: { onBegun(id: string): void; onEnded(id: string): void },
): Promise<Session> {
  const interest = createInterest(connection);
  const server = createMcpServer(connection, interest);
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: onBegun,
  });
  transport.onclose = () => {
    if (transport.sessionId !== undefined) onEnded(transport.sessionId);
  };
  await server.connect(transport as Parameters<Server['connect']>[0]);
  let open = 0;
  let lastUsed = Date.now();
  const alone = new Set<RequestId>();

  /** A client that has gone is not to be answered: what still runs of its request ends. */
  function abandon(ids: readonly RequestId[]): void {
    for (const requestId of ids) {
      const params = { requestId, reason: 'The client has disconnected.' };
      transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
      alone.delete(requestId);
    }
  }

  /** A request that was cancelled gets no answer, so its stream would stay open. */
  function endCancelled(body: unknown): void {
    const requestId = cancelSchema.safeParse(body).data?.params.requestId;
    if (requestId !== undefined && alone.delete(requestId)) transport.closeSSEStream(requestId);
  }

  const told = {
    updated: (uri: string) => server.sendResourceUpdated({ uri }),
    listChanged: () => server.sendResourceListChanged(),
  };

  return {
    server,
    principal: connection.principal,
    idleSince: () => (open === 0 ? lastUsed : null),
    isFull: () => open >= MOST_OPEN,
    async handle(request, body, gone) {
      const ids = requestIds(body);
      if (ids.length === 1 && !Array.isArray(body)) for (const id of ids) alone.add(id);
      open += 1;
      let stopListening: (() => void) | undefined;
      const onGone = (): void => {
        stopListening?.();
        open -= 1;
        lastUsed = Date.now();
        abandon(ids);
      };
      if (gone.aborted) onGone();
      else gone.addEventListener('abort', onGone, { once: true });
      const response = await transport.handleRequest(request, { parsedBody: body });
      if (request.method === 'GET' && response.ok && !gone.aborted)
        stopListening = watch.listen(interest, told);
      endCancelled(body);
      return response;
    },
  };
}
