import type { ChildTerms, Exchange, FromChild, MeasuredStep, ToChild } from './exchange.ts';
import { startWatchdog } from './watchdog.ts';

export interface Serving<X extends Exchange> {
  /** Sends a part of the answer. */
  part(part: X['part']): void;
  /** Does a step of the work, which the trace of the request is to show. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
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
    const steps: MeasuredStep[] = [];
    const tell = (end: FromChild<X>): void => {
      if (steps.length > 0) send({ id, steps });
      send(end);
    };
    const step = measureInto(steps);
    try {
      tell({ id, result: await serve(request, { signal, part: (part) => send({ id, part }), step }) });
    } catch (error) {
      tell({ id, failure: toFailure(error, request) });
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

const now = (): number => performance.timeOrigin + performance.now();

const measureInto =
  (steps: MeasuredStep[]) =>
  async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const from = now();
    try {
      return await work();
    } finally {
      steps.push({ name, from, to: now() });
    }
  };
