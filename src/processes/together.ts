import { setMaxListeners } from 'node:events';
import { scopedSignal } from '../scoped-signal.ts';

/**
 * Requests that are of use only together: when one fails, the others are told by the signal that they are worked on for nothing.
 *
 * @param signal ends all of them
 * @param work sends them, each by `run`, with what becomes of it as that says
 */
export async function together<I, R, T>(
  signal: AbortSignal | undefined,
  run: (item: I, signal: AbortSignal) => Promise<R>,
  work: (runOne: (item: I) => Promise<R>) => Promise<T>,
): Promise<T> {
  const failing = new AbortController();
  const either = scopedSignal([signal, failing.signal]);
  // every request listens to it
  setMaxListeners(0, either.signal);
  const runOne = (item: I): Promise<R> =>
    run(item, either.signal).catch((error: unknown) => {
      failing.abort(error);
      throw error;
    });
  return work(runOne).finally(either.close);
}
