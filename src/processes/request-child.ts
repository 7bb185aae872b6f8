import { type ChildExit, type ChildOptions, startChild } from './child.ts';
import { type Exchange, type FromChild, LIMIT_SIGNALS, type Outcome } from './exchange.ts';
import { holdRequests, type Ticket } from './held-requests.ts';

export interface RequestChildOptions extends ChildOptions {
  /** How long a request may take from when a process has it, in milliseconds. */
  deadlineMs: number;
  /** How much longer the first request of a process may take, which waits until that has loaded, in milliseconds. Default 0. */
  startMs?: number;
  /** A process is replaced after so many requests, that what they leave behind cannot add up. Left out: never. */
  requestsPerChild?: number;
  /** What becomes of a process whose request is aborted: it is told to forget it, or killed because it cannot listen. */
  whenAborted: 'tell' | 'kill';
}

/** A process and the requests that it has. */
export interface RequestChild<X extends Exchange> {
  /** How many requests it has. */
  load(): number;
  /** Whether it may be given one more. */
  isUsable(): boolean;
  give(ticket: Ticket<X>): void;
  /** Takes an aborted request back, where it has it. */
  withdraw(ticket: Ticket<X>): void;
  /** Ends it with the requests that it has. Resolves when it has ended. */
  end(outcome: Outcome<X>): Promise<void>;
}

/**
 * V8 aborts a process whose heap is full; the signal's number is added to 128 where a shell is in between. One that
 * takes too much memory besides is ended by its own watchdog.
 */
const OUT_OF_MEMORY: readonly unknown[] = ['SIGABRT', 'SIGTRAP', 133, 134, LIMIT_SIGNALS.memory];
/** What a process is ended with by those outside: the system that runs out of memory, an operator, a container's end. */
const KILLED: readonly unknown[] = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 137, 143];

function outcomeOf({ code, signal }: ChildExit) {
  const cause = new Error(`the process ended with code ${code}, signal ${signal}`);
  if (signal === LIMIT_SIGNALS.deadline) return { kind: 'timed_out' } as const;
  const how = signal ?? code;
  const kind = OUT_OF_MEMORY.includes(how) ? 'out_of_memory' : KILLED.includes(how) ? 'killed' : 'crashed';
  return { kind, cause } as const;
}

const crashedBecause = (why: string) => ({ kind: 'crashed', cause: new Error(why) }) as const;

/**
 * Starts a process for requests.
 *
 * @param onFreed called when it has a request less
 * @param onEnd called once, when the process has ended
 */
export function startRequestChild<X extends Exchange>(
  options: RequestChildOptions,
  { onFreed, onEnd }: { onFreed: () => void; onEnd: () => void },
): RequestChild<X> {
  const { deadlineMs, startMs = 0, requestsPerChild = Number.POSITIVE_INFINITY } = options;
  const held = holdRequests<X>(expire);
  const child = startChild<X>(options, { onMessage: hear, onEnd: bury });
  const isWornOut = (): boolean => held.count() >= requestsPerChild;

  function hear(message: FromChild<X>): void {
    if ('part' in message) held.find(message.id)?.onPart?.(message.part);
    else if ('steps' in message) held.find(message.id)?.onSteps(message.steps);
    else if ('result' in message) settle(message.id, { kind: 'result', result: message.result });
    else settle(message.id, { kind: 'failure', failure: message.failure });
  }
  function bury(exit: ChildExit): void {
    // it may have kept a deadline itself before this process came to it
    for (const id of held.ids()) settle(id, held.isLate(id) ? { kind: 'timed_out' } : outcomeOf(exit));
    onEnd();
  }
  function release(id: number): Ticket<X> | undefined {
    const ticket = held.remove(id);
    if (held.size() === 0) {
      child.setBusy(false);
      if (isWornOut()) void child.kill();
    }
    return ticket;
  }
  function settle(id: number, outcome: Outcome<X>): void {
    const ticket = release(id);
    if (ticket === undefined) return;
    ticket.settle(outcome);
    onFreed();
  }
  async function end(outcome: Outcome<X>): Promise<void> {
    const ended = child.kill();
    for (const id of held.ids()) settle(id, outcome);
    await ended;
  }
  function expire(id: number): void {
    const ticket = release(id);
    // first of all, so that nothing else is given to the process
    void end(crashedBecause('another request took too long'));
    ticket?.settle({ kind: 'timed_out' });
    onFreed();
  }
  function give(ticket: Ticket<X>): void {
    const id = held.add(ticket, held.count() === 0 ? deadlineMs + startMs : deadlineMs);
    child.setBusy(true);
    child.send({ id, request: ticket.request, deadlineMs });
  }
  function withdraw(ticket: Ticket<X>): void {
    const id = held.idOf(ticket);
    if (id === undefined) return;
    if (options.whenAborted === 'tell') child.send({ cancel: id });
    release(id);
    if (options.whenAborted === 'kill') void end(crashedBecause('another request was aborted'));
    onFreed();
  }
  return { load: held.size, isUsable: () => child.isReachable() && !isWornOut(), give, withdraw, end };
}
