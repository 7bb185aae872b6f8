import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { problemDocument, sendProblem } from '../plumbing/problems.ts';

/** Time for the head of a request; its body has a pace of its own. */
const HEAD_MS = 30_000;
const CHECK_MS = 5_000;

/** A failure of the parser of HTTP, before there is a request. */
type ParserError = Error & { code?: string };

/** What is told of it. */
export function brokenRequest({ code, message }: ParserError): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('headers_too_large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new AppError('request_timeout', { detail: 'The head of the request did not come in time.' });
  }
  const what = message.replace(/^Parse Error: /, '');
  return new AppError('invalid_request', { detail: `This is no HTTP: ${what}. The connection is closed.` });
}

/** An answer that no framework writes. */
function rawProblem(error: AppError) {
  const id = randomUUID();
  const problem = problemDocument(error, { id, url: '' });
  const body = JSON.stringify(problem);
  const headers = {
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': id,
    connection: 'close',
    ...(error.retryAfterSeconds !== undefined && { 'retry-after': String(error.retryAfterSeconds) }),
  };
  return { status: problem.status, headers, body };
}

/** The same as text, for a connection on which nothing is being answered. */
function problemText(error: AppError): string {
  const { status, headers, body } = rawProblem(error);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}

/** Answers on a connection that Node's server does not look after (any more), and ends it: a client that is gone by then harms nobody. */
export function refuseConnection(socket: Socket, error: AppError): void {
  socket.on('error', () => socket.destroy());
  socket.end(problemText(error));
  socket.destroySoon();
}

/** Options of Fastify that answer what never becomes a request of an operation, in the form of all other refusals. */
export function answerBrokenRequests() {
  const answers = new WeakMap<Socket, ServerResponse>();
  return {
    /** Tells of the server, for what is being answered on a connection. */
    watch(app: FastifyInstance): void {
      app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        answers.set(request.socket, response);
      });
      app.server.on('checkExpectation', ({ headers }: IncomingMessage, response: ServerResponse) => {
        const detail = `The expectation "${headers.expect}" cannot be met; 100-continue can.`;
        const { status, headers: told, body } = rawProblem(new AppError('expectation_failed', { detail }));
        response.writeHead(status, told).end(body);
      });
      app.server.on('connect', (_request: IncomingMessage, socket: Socket) => {
        refuseConnection(socket, new AppError('invalid_request', { detail: 'This service is no proxy.' }));
      });
    },
    options: {
      // the check of who calls answers what names no host
      http: { requireHostHeader: false, headersTimeout: HEAD_MS, connectionsCheckingInterval: CHECK_MS },
      /** Paths that are no paths: `/%ZZ`. */
      frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
        reply.header('x-request-id', request.id);
        void sendProblem(error, request, reply);
      },
      clientErrorHandler: (error: ParserError, socket: Socket): void => {
        const answer = answers.get(socket);
        // in the middle of an answer another one would be taken for a part of it
        const isAnswering = answer?.headersSent && !answer.writableFinished;
        if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) {
          socket.destroy();
          return;
        }
        refuseConnection(socket, brokenRequest(error));
      },
    },
  };
}
