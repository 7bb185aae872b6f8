import type { Logger } from 'pino';

const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** Whether the other side of a connection has gone while it was read from or written to. */
function isBrokenLine(error: unknown): boolean {
  const { code, syscall } = Object(error) as { code?: unknown; syscall?: unknown };
  return typeof code === 'string' && BROKEN.has(code) && (syscall === 'read' || syscall === 'write');
}

/**
 * Keeps the process running when a connection breaks that nobody listens to any more: it is a mistake, and is logged as one, but
 * no client may end the service by it. Every other failure that nobody has caught goes to who listens to rejections that
 * nobody has caught, or ends the process.
 */
export function surviveBrokenLines(log: Pick<Logger, 'error'>): void {
  process.on('uncaughtException', (err) => {
    if (isBrokenLine(err)) log.error({ err }, 'a connection broke that nobody listened to');
    // told at once: rejected, it would come back here where nobody listens to rejections
    else if (!process.emit('unhandledRejection', err, Promise.resolve())) throw err;
  });
}
