import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of a request on the line: its answer is lost, or broken off near its end, or was given in its place. */
export type Fault = (
  request: IncomingMessage,
  reply: ServerResponse,
) => 'drop the answer' | 'break the stream' | 'answered' | null;

/** A line to a service that can be made to break. */
export interface Line {
  url: string;
  /** What was asked over it, in order, as `GET /version`. */
  asked: string[];
  /** What happens to each request from now on. */
  fault: Fault;
  close(): Promise<void>;
}

/** Passes requests on to the service, except for what the fault of the moment does to them. */
export async function openLine(service: string): Promise<Line> {
  const server = createServer((request, reply) => {
    line.asked.push(`${request.method} ${request.url}`);
    const kind = line.fault(request, reply);
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
  const line: Line = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    fault: () => null,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
  return line;
}
