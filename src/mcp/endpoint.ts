import { ErrorCode, isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Principal } from '../scope.ts';
import { createChangeWatch } from './change-watch.ts';
import { type McpConnection, scopeOfProject } from './connection.ts';
import { createSession, type Session } from './session.ts';

/** Sessions at a time, at most. One that is idle makes room for a new one. */
const MOST_SESSIONS = 200;
/** A session of which nothing runs, no stream included, is kept so long. */
const IDLE_MS = 30 * 60_000;
const SWEEP_MS = 60_000;
/** Of the protocol's transport. */
const SESSION_NOT_FOUND = -32001;

const isSame = (one: Principal, other: Principal): boolean =>
  one.workspaceId === other.workspaceId && one.caller === other.caller;

/** An error that answers no request in particular, as the protocol has it. */
const refusal = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });

export interface McpEndpointDeps extends Omit<McpConnection, 'project' | 'principal'> {
  /** How many sessions there may be at a time; an own default. */
  mostSessions?: number;
}

/** A request as it came in. */
export interface McpRequest {
  request: Request;
  /** Parsed; undefined where the method has none. */
  body: unknown;
  /** Who sends it. */
  principal: Principal;
  /** The project that the address names. */
  project: string | null;
  /** Aborted when the connection is closed. */
  gone: AbortSignal;
}

/** MCP over streamable HTTP: sessions in this process, bounded in number and idle time. */
export function createMcpEndpoint({ mostSessions = MOST_SESSIONS, ...shared }: McpEndpointDeps) {
  const sessions = new Map<string, Session>();
  const watch = createChangeWatch({ stamps: shared.services.resourceStamps, log: shared.log });
  const sweep = setInterval(() => endIdle(Date.now() - IDLE_MS), SWEEP_MS).unref();

  function end(session: Session): void {
    session.server.close().catch((err: unknown) => shared.log.debug({ err }, 'a session did not end well'));
  }

  function endIdle(before: number): void {
    for (const session of sessions.values())
      if ((session.idleSince() ?? Number.POSITIVE_INFINITY) < before) end(session);
  }

  /** False when all sessions are in use. */
  function makeRoom(): boolean {
    if (sessions.size < mostSessions) return true;
    const idle = [...sessions.values()].flatMap((session) => {
      const since = session.idleSince();
      return since === null ? [] : [{ session, since }];
    });
    const longest = idle.sort((a, b) => a.since - b.since)[0];
    if (longest) end(longest.session);
    return longest !== undefined;
  }

  /** @throws AppError `project_not_found` */
  async function begin({ request, body, principal, project, gone }: McpRequest): Promise<Response> {
    // what cannot be found now would fail every call
    if (project !== null) await shared.services.projects.get(scopeOfProject(principal, project));
    if (!makeRoom()) return refusal(503, ErrorCode.InternalError, `All ${mostSessions} sessions are in use.`);
    let isBegun = false;
    const session = await createSession({ ...shared, principal, project }, watch, {
      onBegun(id) {
        isBegun = true;
        sessions.set(id, session);
      },
      onEnded: (id) => void sessions.delete(id),
    });
    const response = await session.handle(request, body, gone);
    if (!isBegun) end(session);
    return response;
  }

  return {
    /** @throws AppError `project_not_found` for the project that the address names */
    async handle(asked: McpRequest): Promise<Response> {
      const { request, body, principal, gone } = asked;
      const id = request.headers.get('mcp-session-id');
      if (id === null) {
        if (isInitializeRequest(body)) return begin(asked);
        const detail = 'Begin with initialize, and send the Mcp-Session-Id of its answer with every request.';
        return refusal(400, ErrorCode.InvalidRequest, detail);
      }
      const session = sessions.get(id);
      // somebody else's session is none
      if (!session || !isSame(session.principal, principal)) {
        return refusal(
          404,
          SESSION_NOT_FOUND,
          'There is no such session any more. Begin again with initialize.',
        );
      }
      if (session.isFull()) {
        return refusal(429, ErrorCode.InvalidRequest, 'Too many requests of this session are under way.');
      }
      return session.handle(request, body, gone);
    },

    /** Ends all sessions, and what runs of them. */
    async close(): Promise<void> {
      clearInterval(sweep);
      await Promise.allSettled([...sessions.values()].map(({ server }) => server.close()));
    },
  };
}
