import { oneAtATime } from './one-at-a-time.ts';

/** A beat comes after each third of a lease: one that fails is no loss yet, the next still comes in time. */
const BEATS_PER_LEASE = 3;

export interface HeartbeatOptions {
  /** Length of the lease, which has just been taken. */
  leaseSeconds: number;
  /** Prolongs the lease by its length: false when it is no longer ours, a rejection when nobody could say. */
  extend(): Promise<boolean>;
  /** Told of each beat that nobody answered. */
  onError(error: unknown): void;
}

/** Keeps a lease. */
export interface Heartbeat {
  /**
   * Aborts once when the lease is lost: another has it, or it has run out because no beat got through for its whole
   * length. The heart stops then.
   */
  signal: AbortSignal;
  /** Beats now instead of at the next time: there is reason to believe that the lease was taken away. */
  beat(): void;
  /** The lease is not needed any more; the signal stays as it is. */
  stop(): void;
}

/** Prolongs a lease again and again, one beat at a time, until it is stopped or lost. It does not keep the process alive. */
export function startHeartbeat({ leaseSeconds, extend, onError }: HeartbeatOptions): Heartbeat {
  const leaseMs = leaseSeconds * 1_000;
  const lost = new AbortController();
  let isOver = false;

  const stop = (): void => {
    isOver = true;
    clearInterval(timer);
    clearTimeout(expiry);
  };
  const lose = (why: string): void => {
    stop();
    lost.abort(new Error(why));
  };
  const expireIn = (ms: number): NodeJS.Timeout =>
    setTimeout(lose, ms, 'the lease has run out: it could not be prolonged').unref();

  async function extendOnce(): Promise<void> {
    if (isOver) return;
    // the lease is counted from when it was prolonged: not earlier than this
    const from = performance.now();
    try {
      const isOurs = await extend();
      if (isOver) return;
      if (!isOurs) return lose('the lease was lost');
      clearTimeout(expiry);
      expiry = expireIn(from + leaseMs - performance.now());
    } catch (error) {
      if (!isOver) onError(error);
    }
  }

  let expiry = expireIn(leaseMs);
  const beat = oneAtATime(extendOnce);
  const timer = setInterval(beat, leaseMs / BEATS_PER_LEASE).unref();
  return { signal: lost.signal, beat, stop };
}
