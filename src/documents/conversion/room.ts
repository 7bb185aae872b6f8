/** A wait that the signal may end. */
async function unlessAborted(wait: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) {
    await wait;
    return;
  }
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  await Promise.race([wait, aborted]).finally(() => signal.removeEventListener('abort', stop));
}

/**
 * Lets work go on side by side, except what has to be alone: that waits until all else has ended, and what comes later waits
 * for it.
 */
export function createRoom() {
  const inside = new Set<Promise<unknown>>();
  /** How many are, or wait to be, alone, and what settles when they have ended. */
  let apart = 0;
  let last: Promise<unknown> = Promise.resolve();

  function enter<T>(work: () => Promise<T>): Promise<T> {
    const done = work();
    const settled = done.catch(() => undefined);
    inside.add(settled);
    void settled.then(() => inside.delete(settled));
    return done;
  }

  return {
    /** Has work done beside others. An abort while it waits rejects with the signal's reason. */
    async shared<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      while (apart > 0) await unlessAborted(last, signal);
      return enter(work);
    },

    /** Has work done while nothing else is. */
    alone<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      const before = last;
      apart += 1;
      const done = (async () => {
        await unlessAborted(before, signal);
        await unlessAborted(Promise.all(inside), signal);
        return work();
      })().finally(() => {
        apart -= 1;
      });
      // one that was called off while it waited holds nobody up, except behind those before it
      last = Promise.all([before, done.catch(() => undefined)]);
      return done;
    },
  };
}
