import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of a request; null: nothing but what the service makes of it. */
export type Fault = (
  request: IncomingMessage,
  reply: ServerResponse,
) => 'drop the answer' | 'break the stream' | 'answered' | null;

export interface Line {
  url: string;
  /** What was asked of the line, in order, as `GET /projects`. */
  asked: string[];
  /** Breaks as often as this, and then no more. */
  breaks(times: number, fault: Fault): void;
  /** Breaks no more, and forgets what was asked. */
  heal(): void;
  close(): Promise<void>;
}

/** A line to a service that can be made to break: it passes requests on, except for what the fault of the moment does to them. */
export async function openLine(service: string): Promise<Line> {
  let fault: Fault = () => null;
  const asked: string[] = [];
  const server = createServer((request, reply) => {
    asked.push(`${request.method} ${request.url}`);
    const kind = fault(request, reply);
    if (kind === 'answered') return;
    const { method, headers, url = '/' } = request;
    const passedOn = httpRequest(new URL(url, service), { method, headers }, (answer) => {
      if (kind === 'drop the answer') {
        answer.resume().on('end', () => reply.destroy());
        return;
      }
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('data', (chunk: Buffer) => {
        reply.write(kind === 'break the stream' ? chunk.subarray(0, chunk.length - 3) : chunk, () => {
          if (kind === 'break the stream') reply.destroy();
        });
      });
      answer.on('end', () => reply.end());
    });
    passedOn.on('error', () => reply.destroy());
    reply.on('close', () => passedOn.destroy());
    request.pipe(passedOn);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    heal: () => {
      fault = () => null;
      asked.length = 0;
    },
    breaks: (times, what) => {
      let left = times;
      fault = (request, reply) => {
        const kind = left > 0 ? what(request, reply) : null;
        if (kind !== null) left -= 1;
        return kind;
      };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** The service says that it has too much to do. */
export const overloaded =
  (seconds: number): Fault =>
  (_, reply) => {
    const problem = {
      code: 'overloaded',
      status: 503,
      detail: 'Too much.',
      retryable: true,
      retry_after_s: seconds,
    };
    reply.writeHead(503, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem));
    return 'answered';
  };

/** Streams break in the middle of an event. */
export const brokenStream: Fault = ({ headers }) =>
  headers.accept === 'text/event-stream' ? 'break the stream' : null;

/** What a POST does is done, and its answer lost. */
export const lostAnswer: Fault = ({ method }) => (method === 'POST' ? 'drop the answer' : null);

/** There is no service for the moment. */
export const away: Fault = (_, reply) => {
  reply.destroy();
  return 'answered';
};

/** Something else answers. */
export const foreign: Fault = (_, reply) => {
  reply.writeHead(404, { 'content-type': 'text/html' }).end('<h1>It works</h1>');
  return 'answered';
};
