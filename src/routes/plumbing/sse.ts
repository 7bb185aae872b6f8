import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { scopedSignal } from '../../scoped-signal.ts';

/** Header of the operations that answer with events, for their schema. */
export const lastEventIdHeaders = z.object({
  'last-event-id': z
    .string()
    .optional()
    .describe('The `id` of the last event that you have: those after it are sent.'),
});

/** One event of a stream; `data` is sent as JSON. */
export interface ServerEvent {
  id: number;
  event: string;
  data: unknown;
}

const RETRY_MS = 2_000;
/** The contract promises one every 15 s at least. */
const PING_MS = 10_000;
/** A client that has read nothing for so long is let go; it can come back with the number it has seen. */
const STALL_MS = 60_000;
const BUFFERED_BYTES = 64 * 1024;

/** The open streams of an application, so that they end when it closes. */
const open = new WeakMap<object, Set<AbortController>>();

function streamsOf(server: object): Set<AbortController> {
  const streams = open.get(server) ?? new Set();
  open.set(server, streams);
  return streams;
}

/** Ends the streams that hang on a server which is about to close; their clients come back elsewhere. */
export function endStreams(server: object): void {
  for (const controller of streamsOf(server)) controller.abort();
}

/** Whether the caller would rather have an event stream than JSON; JSON when it does not say. */
export function wantsEventStream(request: FastifyRequest): boolean {
  const ranges = (request.headers.accept ?? '').split(',').map(acceptRange);
  const stream = ranges.find((range) => range.type === 'text/event-stream');
  if (!stream || stream.quality === 0) return false;
  const json = ranges.find((range) => range.type === 'application/json' || range.type === 'application/*');
  if (!json || stream.quality !== json.quality) return stream.quality > (json?.quality ?? 0);
  return ranges.indexOf(stream) < ranges.indexOf(json);
}

function acceptRange(text: string): { type: string; quality: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return { type, quality: quality === undefined ? 1 : Number(quality) || 0 };
}

/**
 * The number after which a client wants to go on: `Last-Event-ID`, which it sends by itself, before the parameter.
 *
 * @throws AppError `invalid_request`
 */
export function lastEventId(request: FastifyRequest, parameter: number | undefined): number {
  const header = request.headers['last-event-id'];
  if (header === undefined || header === '') return parameter ?? 0;
  if (typeof header === 'string' && /^\d{1,15}$/.test(header)) return Number(header);
  throw new AppError('invalid_request', {
    detail: 'Last-Event-ID is the number of an event: send back an id as it came.',
    errors: [{ pointer: 'last-event-id', detail: 'must be the number of an event', code: 'invalid_format' }],
  });
}

/** A signal that ends when the caller has gone. */
export function whileConnected(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort());
  return controller.signal;
}

/**
 * Answers with an event stream. Its source is told by the signal when the client has gone, and is asked for an event only
 * when there is room for it, so a slow client holds no more than a buffer.
 *
 * @param from the number that the stream begins after, told at once: a client whose connection breaks before its first
 *   event goes on there
 */
export function sendEventStream(
  request: FastifyRequest,
  reply: FastifyReply,
  source: (signal: AbortSignal) => AsyncIterable<ServerEvent>,
  from?: number,
): FastifyReply {
  reply.status(200).headers({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    // nginx holds back what it proxies otherwise
    'x-accel-buffering': 'no',
    vary: 'accept',
  });
  if (request.method === 'HEAD') return reply.send('');
  const streams = streamsOf(request.server.server);
  const controller = new AbortController();
  streams.add(controller);
  const out = new PassThrough({ highWaterMark: BUFFERED_BYTES });
  out.once('close', () => controller.abort());
  // an aborted client is no failure of ours
  out.on('error', () => controller.abort());
  void pump(out, source, { controller, from })
    .catch((err: unknown) => request.log.warn({ err }, 'an event stream was cut'))
    .finally(() => {
      streams.delete(controller);
      out.end();
    });
  return reply.send(out);
}

async function pump(
  out: PassThrough,
  source: (signal: AbortSignal) => AsyncIterable<ServerEvent>,
  { controller: { signal }, from }: { controller: AbortController; from: number | undefined },
): Promise<void> {
  out.write(`retry: ${RETRY_MS}\n${from === undefined ? '' : `id: ${from}\n`}\n`);
  const ping = setInterval(() => {
    if (!out.writableNeedDrain) out.write(': ping\n\n');
  }, PING_MS);
  try {
    for await (const { id, event, data } of source(signal)) {
      if (signal.aborted) return;
      const hasRoom = out.write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      if (!hasRoom) await roomIn(out, signal);
    }
  } finally {
    clearInterval(ping);
  }
}

async function roomIn(out: PassThrough, signal: AbortSignal): Promise<void> {
  const scoped = scopedSignal([signal], { timeoutMs: STALL_MS });
  try {
    await once(out, 'drain', { signal: scoped.signal });
  } catch (error) {
    out.destroy();
    if (!signal.aborted) throw error;
  } finally {
    scoped.close();
  }
}
