import { performance } from 'node:perf_hooks';
import type { Exchange, Outcome } from './exchange.ts';

/** A request on its way. */
export interface Ticket<X extends Exchange> {
  request: X['request'];
  /** It overtakes all others. */
  isUrgent: boolean;
  onPart: ((part: X['part']) => void) | undefined;
  /** Told of what the process says that it has done, which is to be looked at first. */
  onSteps(steps: unknown): void;
  settle(outcome: Outcome<X>): void;
}

/**
 * The requests that a process has, by number, each of them with its deadline.
 *
 * @param onLate called when one has been here for as long as it may
 */
export function holdRequests<X extends Exchange>(onLate: (id: number) => void) {
  const held = new Map<number, { ticket: Ticket<X>; timer: NodeJS.Timeout; dueAt: number }>();
  let lastId = 0;
  return {
    size: () => held.size,
    ids: () => [...held.keys()],
    /** How many there have ever been. */
    count: () => lastId,
    find: (id: number): Ticket<X> | undefined => held.get(id)?.ticket,
    idOf: (ticket: Ticket<X>): number | undefined => [...held].find(([, one]) => one.ticket === ticket)?.[0],
    isLate: (id: number): boolean => performance.now() >= (held.get(id)?.dueAt ?? Number.POSITIVE_INFINITY),
    add(ticket: Ticket<X>, deadlineMs: number): number {
      lastId += 1;
      const timer = setTimeout(onLate, deadlineMs, lastId);
      held.set(lastId, { ticket, timer, dueAt: performance.now() + deadlineMs });
      return lastId;
    },
    remove(id: number): Ticket<X> | undefined {
      const one = held.get(id);
      held.delete(id);
      clearTimeout(one?.timer);
      return one?.ticket;
    },
  };
}
