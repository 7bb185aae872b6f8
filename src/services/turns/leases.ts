import type { Database } from '../../db/database.ts';
import { prolongLeases, type TurnLease } from '../../db/turns.ts';
import type { Scope } from '../../scope.ts';

type HeldLease = TurnLease & { scope: Scope };

/** A lease is prolonged when less of its length is left: so much of it is left at least after each look. */
const LEFT = 2 / 3;

export interface TurnLeases {
  /**
   * Keeps the lease of a turn that runs here until the function that it gives is called.
   *
   * @param onLost called once when the turn is no longer ours: another has ended it, taken it up again or removed it, or
   *   the lease has run out because nobody could prolong it
   */
  hold(lease: HeldLease, onLost: () => void): () => void;
}

/**
 * Keeps the leases of all turns that run here, in one statement every `everyMs`: it prolongs those that need it and tells
 * which are lost, so that a turn that is cancelled through another instance stops at once. A turn learns in no other way
 * that it is lost; the statement that ends it checks once more by itself. Nothing is asked while no turn runs.
 */
export function keepLeases(options: {
  db: Database;
  everyMs: number;
  onError: (error: unknown) => void;
}): TurnLeases {
  const { db, everyMs, onError } = options;
  /** With each lease until when it is ours for certain, on the clock of `performance.now`. */
  const held = new Map<HeldLease, { onLost: () => void; until: number }>();
  let timer: NodeJS.Timeout | undefined;
  let isAsking = false;

  function release(lease: HeldLease): void {
    held.delete(lease);
    if (held.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function lose(lease: HeldLease): void {
    const known = held.get(lease);
    release(lease);
    // it may have ended by itself meanwhile
    known?.onLost();
  }

  async function ask(): Promise<void> {
    isAsking = true;
    const leases = [...held.keys()];
    const from = performance.now();
    try {
      const lost = await prolongLeases(db, leases, LEFT);
      for (const lease of lost) lose(lease);
      for (const lease of leases) {
        const known = held.get(lease);
        if (known) known.until = from + lease.seconds * 1_000 * LEFT;
      }
    } catch (error) {
      onError(error);
    } finally {
      isAsking = false;
    }
  }

  function tick(): void {
    const now = performance.now();
    for (const [lease, { until }] of held) if (until <= now) lose(lease);
    if (held.size > 0 && !isAsking) void ask();
  }

  return {
    hold(lease, onLost) {
      held.set(lease, { onLost, until: performance.now() + lease.seconds * 1_000 });
      timer ??= setInterval(tick, everyMs).unref();
      return () => release(lease);
    },
  };
}
