import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { createMcpEndpoint } from '../mcp/endpoint.ts';
import type { Services } from '../services/services.ts';
import { problemResponses } from './plumbing/problems.ts';
import { whileConnected } from './plumbing/sse.ts';

const querySchema = z.strictObject({
  project: z
    .string()
    .max(200)
    .optional()
    .describe('Binds the connection to a project: its tools ask for none then.'),
});

const rpcErrorSchema = z.object({
  jsonrpc: z.literal('2.0').describe('The version of JSON-RPC.'),
  id: z.null().describe('Null: the message was not read.'),
  error: z
    .object({
      code: z.int().describe('The code of JSON-RPC.'),
      message: z.string().describe('What is wrong, in words.'),
    })
    .describe('What is wrong.'),
});

/** The protocol's own errors, by their status. */
const RPC_ERRORS = {
  400: 'The message is none of the protocol, or the session is not named.',
  404: 'There is no such session any more.',
  406: 'The `Accept` does not name what the protocol answers with.',
  429: 'Too many requests of this session are under way.',
  503: 'All sessions are in use, or the service is stopping.',
};

/** What is refused before the protocol is spoken comes as a problem, the rest in the protocol's form. */
function refusals() {
  const problems = problemResponses('project_not_found', 'invalid_json', 'overloaded');
  const errors = Object.entries(RPC_ERRORS).map(([status, said]) => {
    const { description, content } = problems[status] ?? { description: '', content: {} };
    return [
      status,
      {
        description: description === '' ? said : `${description}. ${said}`,
        content: { ...content, 'application/json': { schema: rpcErrorSchema } },
      },
    ] as const;
  });
  return { ...problems, ...Object.fromEntries(errors) };
}

/** What a session's requests say besides. */
const headersSchema = z.object({
  'mcp-session-id': z.string().max(200).optional().describe('From the answer to `initialize`.'),
  'mcp-protocol-version': z
    .string()
    .max(50)
    .optional()
    .describe('The version of the protocol that was agreed on.'),
});

const responses = (description: string, media: string) => ({
  200: { description, content: { [media]: { schema: z.unknown() } } },
  ...refusals(),
});

const operations = [
  {
    method: 'POST',
    operationId: 'postMcp',
    summary: 'Send MCP messages',
    description:
      'The Model Context Protocol over streamable HTTP: the body is a JSON-RPC message, the answer a stream of events that ends with the response to it. The first message is `initialize`, and the `Mcp-Session-Id` of its answer goes with every other. docs/mcp.md shows how agents are connected; use their SDK rather than this address by hand.',
    body: z.unknown(),
    responses: {
      ...responses('The response, and what is told before it.', 'text/event-stream'),
      202: z.null().describe('Taken: there is nothing to answer.'),
    },
  },
  {
    method: 'GET',
    operationId: 'listenMcp',
    summary: 'Listen to an MCP session',
    description: 'What the service tells of by itself: resources that have changed.',
    responses: responses('Notifications as they come.', 'text/event-stream'),
  },
  {
    method: 'DELETE',
    operationId: 'endMcp',
    summary: 'End an MCP session',
    description: 'Ends the session and what runs of it.',
    responses: { ...refusals(), 200: z.null().describe('It has ended.') },
  },
] as const;

/** The request as web standards have it, with its body left to Fastify, which limits and parses it. */
function webRequest({ method, url, headers }: FastifyRequest): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  return new Request(new URL(url, 'http://localhost'), { method, headers: pairs });
}

/** MCP at `/mcp`. */
export const mcpRoutes: FastifyPluginAsyncZod<{ services: Services; version: string }> = async (
  app,
  { services, version },
) => {
  const endpoint = createMcpEndpoint({ services, version, log: app.log });
  app.addHook('preClose', () => endpoint.close());
  // the transport answers in its own forms; a schema would only be in the way of a stream
  app.setSerializerCompiler(() => (body) => JSON.stringify(body));

  for (const { method, responses: response, ...operation } of operations) {
    app.route({
      method,
      url: '/mcp',
      exposeHeadRoute: false,
      // its tools read, whatever the method; most of what is posted calls one
      config: {
        access: 'read',
        isExpensive: method === 'POST',
        ...(method === 'POST' && { sends: ['Mcp-Session-Id'] as const }),
      },
      schema: { ...operation, tags: ['mcp'], querystring: querySchema, headers: headersSchema, response },
      handler: async (request, reply: FastifyReply) => {
        const { project = null } = request.query as z.infer<typeof querySchema>;
        const { body } = request;
        return endpoint.handle({
          request: webRequest(request),
          body,
          principal: request.principal,
          project,
          gone: whileConnected(reply),
        }) as never;
      },
    });
  }
};
