/** Ends a call in which nothing was heard for too long, or which its caller gave up. */
export interface SilenceWatch {
  /** Aborts on either. */
  readonly signal: AbortSignal;
  /** Whether it was the silence. */
  readonly timedOut: boolean;
  /** Something was heard: the clock starts again. */
  heard(): void;
  /** The call is over. */
  stop(): void;
}

/** @param timeoutMs longest silence, from now on */
export function watchSilence(timeoutMs: number, outer: AbortSignal | undefined): SilenceWatch {
  const controller = new AbortController();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, timeoutMs);
  const onAbort = (): void => controller.abort();
  if (outer?.aborted) controller.abort();
  outer?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    get timedOut() {
      return timedOut;
    },
    heard: () => {
      timer.refresh();
    },
    stop: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onAbort);
    },
  };
}
