import { serviceStopping } from '../../errors.ts';
import type { TurnRun } from './turn-run.ts';

/** A turn that runs in this process. */
export interface RunningTurn extends Pick<TurnRun, 'stop'> {
  /** Settles when it has ended. */
  done: Promise<unknown>;
}

/** The turns that run in this process, by key, and those that are being taken on. */
export function createRunningTurns() {
  const running = new Map<string, RunningTurn>();
  const beginnings = new Set<Promise<unknown>>();
  let isStopping = false;
  let isOver = false;

  return {
    /**
     * Lets a turn begin: `begin` records it and adds it.
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

    /** Adds a turn that has begun, until it has ended. */
    add(key: string, turn: RunningTurn): void {
      running.set(key, turn);
      const remove = () => void running.delete(key);
      turn.done.then(remove, remove);
      if (isOver) turn.stop('shutdown');
    },

    get: (key: string): RunningTurn | undefined => running.get(key),

    /** Admits no turn any more, lets those there are end by themselves for `graceMs`, then interrupts them. */
    async stop(graceMs: number): Promise<void> {
      isStopping = true;
      const grace = setTimeout(() => {
        isOver = true;
        for (const turn of running.values()) turn.stop('shutdown');
      }, graceMs);
      // what is being taken on runs soon
      while (beginnings.size + running.size > 0) {
        await Promise.allSettled([...beginnings, ...Array.from(running.values(), ({ done }) => done)]);
      }
      clearTimeout(grace);
    },
  };
}
