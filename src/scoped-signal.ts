/** A signal for one act, which is let go of when the act is over. */
export interface ScopedSignal {
  readonly signal: AbortSignal;
  /** Whether it was the time that has aborted it. */
  readonly timedOut: boolean;
  /** To be called when the act is over. */
  close(): void;
}

/**
 * A signal that aborts with the first of others, with its reason, or after a time with a `TimeoutError`. Unlike what
 * `AbortSignal.any` and `AbortSignal.timeout` give it leaves nothing behind once it is closed: those live on until their time is
 * over, or as long as what they follow, which may be the process's own signal.
 *
 * @param options.timeoutMs milliseconds from now; the wait alone keeps no process alive
 */
export function scopedSignal(
  follows: readonly (AbortSignal | undefined)[],
  { timeoutMs }: { timeoutMs?: number } = {},
): ScopedSignal {
  const controller = new AbortController();
  const { signal } = controller;
  const undo: (() => void)[] = [];
  let timedOut = false;
  for (const followed of follows) {
    if (!followed) continue;
    const follow = (): void => controller.abort(followed.reason);
    if (followed.aborted) follow();
    followed.addEventListener('abort', follow, { once: true });
    undo.push(() => followed.removeEventListener('abort', follow));
  }
  if (timeoutMs !== undefined && !signal.aborted) {
    const timer = setTimeout(() => {
      timedOut = !signal.aborted;
      controller.abort(
        new DOMException(`There was no end within ${timeoutMs / 1_000} seconds.`, 'TimeoutError'),
      );
    }, timeoutMs);
    timer.unref();
    undo.push(() => clearTimeout(timer));
  }
  return {
    signal,
    get timedOut() {
      return timedOut;
    },
    close() {
      for (const end of undo) end();
    },
  };
}
