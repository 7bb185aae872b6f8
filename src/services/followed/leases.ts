import type { OutageLog } from '../outage-log.ts';

/** A lease is prolonged when less of its length is left: so much of it is left at least after each look. */
const LEFT = 2 / 3;

export interface KeptLeases<L> {
  /**
   * Keeps the lease of what runs here until the function that it gives is called.
   *
   * @param onLost called once when it is no longer ours: another has ended it, taken it up again or removed it, or
   *   the lease has run out because nobody could prolong it
   */
  hold(lease: L, onLost: () => void): () => void;
}

/**
 * Keeps the leases of all of a kind that run here, together every `everyMs`: it prolongs those that need it and
 * tells which are lost, so that what is cancelled through another instance stops at once. It learns in no other way that it
 * is lost; the statement that ends it checks once more by itself. Nothing is asked while none runs.
 *
 * @param options.prolong prolongs those of which less than a share of their length is left, and gives those that are lost
 */
export function keepLeases<L extends { seconds: number }>(options: {
  prolong: (leases: readonly L[], share: number) => Promise<L[]>;
  everyMs: number;
  outage: OutageLog;
}): KeptLeases<L> {
  const { prolong, everyMs, outage } = options;
  /** With each lease until when it is ours for certain, on the clock of `performance.now`. */
  const held = new Map<L, { onLost: () => void; until: number }>();
  let timer: NodeJS.Timeout | undefined;
  let isAsking = false;

  function release(lease: L): void {
    held.delete(lease);
    if (held.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function lose(lease: L): void {
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
      const lost = await prolong(leases, LEFT);
      outage.succeeded();
      for (const lease of lost) lose(lease);
      for (const lease of leases) {
        const known = held.get(lease);
        if (known) known.until = from + lease.seconds * 1_000 * LEFT;
      }
    } catch (error) {
      outage.failed(error);
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
