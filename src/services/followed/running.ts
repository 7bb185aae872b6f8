import { serviceStopping } from '../../errors.ts';
import type { StopReason } from './stopped.ts';

/** What runs in this process. */
export interface Running<T> {
  stop(reason: StopReason): void;
  /** Settles when it has ended. */
  done: Promise<T>;
}

/** What of a kind runs in this process, by key, and what is being taken on. */
export function createRunning<R>() {
  const running = new Map<string, Running<R>>();
  const beginnings = new Set<Promise<unknown>>();
  let isStopping = false;
  let isOver = false;

  return {
    /**
     * Lets one begin: `begin` records it and adds it.
     *
     * @throws AppError `service_unavailable` when the process stops
     */
    async admit<T>(begin: () => Promise<T>): Promise<T> {
      if (isStopping) throw serviceStopping();
      const beginning = begin();
      beginnings.add(beginning);
      try {
        return await beginning;
      } finally {
        beginnings.delete(beginning);
      }
    },

    /** Adds one that has begun, until it has ended. */
    add(key: string, one: Running<R>): void {
      running.set(key, one);
      const remove = () => void running.delete(key);
      one.done.then(remove, remove);
      if (isOver) one.stop('shutdown');
    },

    get: (key: string): Running<R> | undefined => running.get(key),

    /** Admits none any more, lets those there are end by themselves for `graceMs`, then interrupts them. */
    async stop(graceMs: number): Promise<void> {
      isStopping = true;
      const grace = setTimeout(() => {
        isOver = true;
        for (const one of running.values()) one.stop('shutdown');
      }, graceMs);
      // what is being taken on runs soon
      while (beginnings.size + running.size > 0) {
        await Promise.allSettled([...beginnings, ...Array.from(running.values(), ({ done }) => done)]);
      }
      clearTimeout(grace);
    },
  };
}
