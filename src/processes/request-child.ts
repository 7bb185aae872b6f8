import { performance } from 'node:perf_hooks';
import { type ChildExit, type ChildOptions, startChild } from './child.ts';
import type { Exchange, FromChild, Outcome } from './exchange.ts';

export interface RequestChildOptions extends ChildOptions {
  /** How long a request may take from when a process has it, in milliseconds. */
  deadlineMs: number;
  /** A process is replaced after so many requests, that what they leave behind cannot add up. Left out: never. */
  requestsPerChild?: number;
  /** What becomes of a process whose request is aborted: it is told to forget it, or killed because it cannot listen. */
  whenAborted: 'tell' | 'kill';
}

/** A request on its way. */
export interface Ticket<X extends Exchange> {
  request: X['request'];
  /** It overtakes all others. */
  isUrgent: boolean;
  onPart: ((part: X['part']) => void) | undefined;
  settle(outcome: Outcome<X>): void;
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

interface Held<X extends Exchange> {
  ticket: Ticket<X>;
  timer: NodeJS.Timeout;
  dueAt: number;
}

/**
 * V8 aborts a process whose heap is full; the signal's number is added to 128 where a shell is in between. One that
 * takes too much memory besides is killed, by its own watchdog or by the system.
 */
const OUT_OF_MEMORY: readonly unknown[] = ['SIGABRT', 'SIGTRAP', 'SIGKILL', 133, 134, 137];

function outcomeOf({ code, signal }: ChildExit) {
  const cause = new Error(`the process ended with code ${code}, signal ${signal}`);
  return { kind: OUT_OF_MEMORY.includes(signal ?? code) ? 'out_of_memory' : 'crashed', cause } as const;
}

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
  const { deadlineMs, requestsPerChild = Number.POSITIVE_INFINITY } = options;
  const held = new Map<number, Held<X>>();
  let given = 0;
  const child = startChild<X>(options, { onMessage: hear, onEnd: bury });

  function hear(message: FromChild<X>): void {
    if ('part' in message) held.get(message.id)?.ticket.onPart?.(message.part);
    else if ('result' in message) settle(message.id, { kind: 'result', result: message.result });
    else settle(message.id, { kind: 'failure', failure: message.failure });
  }
  function bury(exit: ChildExit): void {
    const now = performance.now();
    for (const [id, { dueAt }] of held) {
      // it may have kept its own deadline before this process came to it
      settle(id, now >= dueAt ? { kind: 'timed_out' } : outcomeOf(exit));
    }
    onEnd();
  }
  function release(id: number): Ticket<X> | undefined {
    const ended = held.get(id);
    if (!held.delete(id)) return undefined;
    clearTimeout(ended?.timer);
    if (held.size === 0) child.setBusy(false);
    if (held.size === 0 && given >= requestsPerChild) void child.kill();
    return ended?.ticket;
  }
  function settle(id: number, outcome: Outcome<X>): void {
    const ticket = release(id);
    if (ticket === undefined) return;
    ticket.settle(outcome);
    onFreed();
  }
  async function end(outcome: Outcome<X>): Promise<void> {
    const ended = child.kill();
    for (const id of held.keys()) settle(id, outcome);
    await ended;
  }
  /** Takes a request away from the process, which is ended before another one can be given to it. */
  function tear(id: number, why: string): Ticket<X> | undefined {
    const ticket = release(id);
    void end({ kind: 'crashed', cause: new Error(`another request of the process ${why}`) });
    return ticket;
  }
  function expire(id: number): void {
    tear(id, 'took too long')?.settle({ kind: 'timed_out' });
    onFreed();
  }

  return {
    load: () => held.size,
    isUsable: () => child.isReachable() && given < requestsPerChild,
    give(ticket) {
      given += 1;
      const id = given;
      const timer = setTimeout(expire, deadlineMs, id);
      held.set(id, { ticket, timer, dueAt: performance.now() + deadlineMs });
      child.setBusy(true);
      child.send({ id, request: ticket.request, deadlineMs });
    },
    withdraw(ticket) {
      const [id] = [...held].find(([, one]) => one.ticket === ticket) ?? [];
      if (id === undefined) return;
      if (options.whenAborted === 'kill') tear(id, 'was aborted');
      else {
        child.send({ cancel: id });
        release(id);
      }
      onFreed();
    },
    end,
  };
}
