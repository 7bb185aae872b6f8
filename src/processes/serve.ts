import type { ChildTerms, Exchange, FromChild, ToChild } from './exchange.ts';
import { startWatchdog } from './watchdog.ts';

export interface Serving<X extends Exchange> {
  /** Sends a part of the answer. */
  part(part: X['part']): void;
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal;
}

export interface Server<X extends Exchange> {
  serve(request: X['request'], serving: Serving<X>): Promise<X['result']>;
  /** What is said of an error that `serve` rejects with. */
  toFailure(error: unknown, request: X['request']): X['failure'];
}

/**
 * Makes this process the child of a pool: it serves the requests that come, several at a time where it is given several.
 * It ends when its parent is gone, and is killed by a watchdog when it could not notice that, takes too long or grows
 * too large. To be called once, as the entry is loaded.
 */
export function serveRequests<X extends Exchange>({ serve, toFailure }: Server<X>): void {
  const watchdog = startWatchdog(JSON.parse(process.argv[2] ?? '') as ChildTerms);
  const open = new Map<number, AbortController>();

  function send(message: FromChild<X>): void {
    // nobody waits for what was cancelled
    if (open.has(message.id)) process.send?.(message);
  }
  function close(id: number): void {
    open.delete(id);
    watchdog.end(id);
  }
  async function answer(id: number, request: X['request'], signal: AbortSignal): Promise<void> {
    try {
      send({ id, result: await serve(request, { signal, part: (part) => send({ id, part }) }) });
    } catch (error) {
      send({ id, failure: toFailure(error, request) });
    } finally {
      close(id);
    }
  }
  process.on('message', (message: ToChild<X>) => {
    if ('cancel' in message) {
      open.get(message.cancel)?.abort();
      close(message.cancel);
      return;
    }
    const { id, request, deadlineMs } = message;
    const control = new AbortController();
    open.set(id, control);
    watchdog.begin(id, deadlineMs);
    void answer(id, request, control.signal);
  });
  process.on('disconnect', () => process.exit(0));
}
