import type { Database } from '../../db/database.ts';
import { selectLostLeases, type TurnLease } from '../../db/turns.ts';
import type { Scope } from '../../scope.ts';

interface Watched extends TurnLease {
  scope: Scope;
  onLost: () => void;
}

export interface TurnWatch {
  /** Watches over a turn that runs here until the function that it gives is called. */
  add(turn: Watched): () => void;
}

/**
 * Looks every `pollMs` whether the turns that run here are still theirs, all of them in one statement, so that one that
 * is cancelled through another instance stops at once and not at its next heartbeat. It asks nothing while no turn runs.
 */
export function watchTurns(db: Database, pollMs: number, onError: (error: unknown) => void): TurnWatch {
  const watched = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    try {
      const lost = watched.size === 0 ? [] : await selectLostLeases(db, [...watched]);
      for (const turn of lost) {
        // it may have ended by itself meanwhile
        if (watched.delete(turn)) turn.onLost();
      }
    } catch (error) {
      onError(error);
    }
    schedule();
  }

  function schedule(): void {
    timer = watched.size === 0 ? undefined : setTimeout(() => void look(), pollMs).unref();
  }

  return {
    add(turn) {
      watched.add(turn);
      if (timer === undefined) schedule();
      return () => void watched.delete(turn);
    },
  };
}
