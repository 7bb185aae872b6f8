import type { Exchange, Outcome } from './exchange.ts';
import type { Ticket } from './held-requests.ts';
import { type RequestChild, type RequestChildOptions, startRequestChild } from './request-child.ts';
import { type PoolTrace, traceRequest } from './trace.ts';

export interface ProcessPoolOptions extends RequestChildOptions {
  /** Most processes; each is started when there is work for it. */
  size: number;
  /** Requests that one process may have at the same time, urgent ones not counted. */
  requestsAtOnce: number;
  /** How its requests are shown in traces. Left out: not at all. */
  trace?: PoolTrace;
}

export interface RunOptions<X extends Exchange> {
  signal?: AbortSignal | undefined;
  /** It overtakes all others, and is given to a process at once. */
  isUrgent?: boolean;
  onPart?: (part: X['part']) => void;
}

/** How a pool stands, and what has become of its requests. */
export interface PoolFigures {
  /** Processes that are there, and that were ever started. */
  running: number;
  started: number;
  /** Requests that wait for a process. */
  waiting: number;
  outcomes: Record<Outcome<Exchange>['kind'], number>;
}

export interface ProcessPool<X extends Exchange> {
  /** Has a request served. Whatever becomes of its process is an outcome; only an abort rejects, with its reason. */
  run(request: X['request'], options?: RunOptions<X>): Promise<Outcome<X>>;
  /** Starts a process ahead of the first request. */
  warmUp(): void;
  figures(): PoolFigures;
  /** Ends the processes. Everything that is still open, or comes later, has the outcome `closed`. */
  close(): Promise<void>;
}

/**
 * A few child processes that serve requests, which wait here and are given out in order. Idle processes do not keep the
 * service alive, busy ones do. One that dies takes the requests with it that it had; the next request starts another.
 */
export function createProcessPool<X extends Exchange>(options: ProcessPoolOptions): ProcessPool<X> {
  const children = new Set<RequestChild<X>>();
  const waiting: Ticket<X>[] = [];
  const outcomes = {
    result: 0,
    failure: 0,
    timed_out: 0,
    out_of_memory: 0,
    killed: 0,
    crashed: 0,
    closed: 0,
  };
  let started = 0;
  let isClosed = false;

  const usable = (): RequestChild<X>[] => [...children].filter((child) => child.isUsable());

  function start(): RequestChild<X> {
    const child = startRequestChild<X>(options, { onFreed: giveOut, onEnd: () => children.delete(child) });
    children.add(child);
    started += 1;
    return child;
  }
  function childFor({ isUrgent }: Ticket<X>): RequestChild<X> | undefined {
    const present = usable();
    const [freest] = present.toSorted((a, b) => a.load() - b.load());
    // to start a process takes longer than to wait for what a busy one is doing
    if (isUrgent) return freest ?? start();
    if (freest?.load() !== 0 && present.length < options.size) return start();
    return freest && freest.load() < options.requestsAtOnce ? freest : undefined;
  }
  function giveOut(): void {
    for (let ticket = waiting[0]; ticket && !isClosed; ticket = waiting[0]) {
      const child = childFor(ticket);
      if (child === undefined) return;
      waiting.shift();
      child.give(ticket);
    }
  }
  function withdraw(ticket: Ticket<X>): void {
    const at = waiting.indexOf(ticket);
    if (at >= 0) waiting.splice(at, 1);
    for (const child of children) child.withdraw(ticket);
  }

  return {
    async run(request, runOptions = {}) {
      runOptions.signal?.throwIfAborted();
      if (isClosed) return { kind: 'closed' };
      const settled = await traceRequest<X>(options.trace, (onSteps) => {
        const { ticket, outcome } = issueTicket(request, { ...runOptions, onSteps }, withdraw);
        if (ticket.isUrgent) waiting.unshift(ticket);
        else waiting.push(ticket);
        giveOut();
        return outcome;
      });
      outcomes[settled.kind] += 1;
      return settled;
    },
    warmUp() {
      if (!isClosed && usable().length === 0) start();
    },
    figures: () => ({ running: children.size, started, waiting: waiting.length, outcomes: { ...outcomes } }),
    async close() {
      isClosed = true;
      for (const ticket of waiting.splice(0)) ticket.settle({ kind: 'closed' });
      await Promise.all([...children].map((child) => child.end({ kind: 'closed' })));
    },
  };
}

/** A ticket, and its outcome: an abort calls `onAborted` and rejects it with the signal's reason. */
function issueTicket<X extends Exchange>(
  request: X['request'],
  { signal, isUrgent = false, onPart, onSteps }: RunOptions<X> & Pick<Ticket<X>, 'onSteps'>,
  onAborted: (ticket: Ticket<X>) => void,
): { ticket: Ticket<X>; outcome: Promise<Outcome<X>> } {
  const ticket: Ticket<X> = { request, isUrgent, onPart, onSteps, settle: () => undefined };
  const outcome = new Promise<Outcome<X>>((resolve, reject) => {
    const onAbort = (): void => {
      onAborted(ticket);
      reject(signal?.reason);
    };
    ticket.settle = (settled) => {
      signal?.removeEventListener('abort', onAbort);
      resolve(settled);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
  return { ticket, outcome };
}
