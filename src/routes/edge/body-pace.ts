import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, serviceStopping } from '../../errors.ts';
import { sendProblem } from '../plumbing/problems.ts';

/** How bodies have to come. Times count only while the service would take more of them. */
export interface BodyPace {
  /** For a whole body. */
  totalMs: number;
  /** On the average of each window; 0: however slowly. */
  bytesPerSecond: number;
}

/** An interruption of a mobile connection is shorter, mostly. */
const WINDOW_MS = 20_000;
/** The same from when the service stops. */
const STOPPING_WINDOW_MS = 1_000;
const TICK_MS = 1_000;

interface Body {
  request: FastifyRequest;
  reply: FastifyReply;
  /** All in all, and in the window that runs. */
  waitedMs: number;
  windowMs: number;
  /** Bytes of the connection when the window began. */
  bytesBefore: number;
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const tooSlow = (detail: string): AppError =>
  new AppError('request_timeout', { detail: `${detail} Nothing of it was stored; send it again.` });

/** The bodies that are being received, of which those that come too slowly are broken off. */
export function createBodyWatch({ totalMs, bytesPerSecond }: BodyPace) {
  const bodies = new Set<Body>();
  let isStopping = false;

  function faultOf(body: Body): AppError | null {
    const { waitedMs, windowMs, bytesBefore, request } = body;
    if (waitedMs >= totalMs) return tooSlow(`The body did not come within ${totalMs / 1000} s.`);
    if (windowMs < (isStopping ? STOPPING_WINDOW_MS : WINDOW_MS)) return null;
    const { bytesRead } = request.raw.socket;
    const rate = ((bytesRead - bytesBefore) * 1000) / windowMs;
    Object.assign(body, { windowMs: 0, bytesBefore: bytesRead });
    if (rate >= bytesPerSecond) return null;
    return isStopping
      ? serviceStopping()
      : tooSlow(`The body came at less than ${bytesPerSecond} bytes a second.`);
  }

  function breakOff({ request, reply }: Body, error: AppError): void {
    if (reply.sent) {
      // it was answered without its body, of which the rest is still awaited
      request.raw.socket.destroy();
      return;
    }
    reply.header('connection', 'close');
    void sendProblem(error, request, reply);
  }

  return {
    /** Begins to watch the body of a request, if it has one. */
    watch(request: FastifyRequest, reply: FastifyReply): void {
      const { raw } = request;
      // a request that is injected has no connection
      if (!hasBody(raw) || typeof raw.socket?.bytesRead !== 'number') return;
      const body: Body = { request, reply, waitedMs: 0, windowMs: 0, bytesBefore: raw.socket.bytesRead };
      bodies.add(body);
      for (const event of ['end', 'close']) raw.once(event, () => bodies.delete(body));
    },
    /** Tells that so much time has gone by. */
    tick(elapsedMs: number): void {
      for (const body of bodies) {
        const { raw } = body.request;
        // what is full waits for the service, and not for the client
        if (raw.readableLength >= raw.readableHighWaterMark) continue;
        body.waitedMs += elapsedMs;
        body.windowMs += elapsedMs;
        const fault = faultOf(body);
        if (fault === null) continue;
        bodies.delete(body);
        breakOff(body, fault);
      }
    },
    /** From now on a body that stands still holds nothing up. */
    stop(): void {
      isStopping = true;
    },
  };
}

/** Watches the bodies of an application, more strictly from when it stops. */
export function registerBodyPace(
  app: FastifyInstance,
  pace: BodyPace,
  stopping: AbortSignal | undefined,
): void {
  const watch = createBodyWatch(pace);
  let before = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    watch.tick(now - before);
    before = now;
  }, TICK_MS).unref();
  const stop = () => watch.stop();
  stopping?.addEventListener('abort', stop, { once: true });
  app.addHook('preClose', async () => stop());
  app.addHook('onClose', async () => clearInterval(timer));
  app.addHook('onRequest', async (request, reply) => watch.watch(request, reply));
}
