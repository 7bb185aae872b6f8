import type { EmbedOptions } from '../../src/embeddings/model.ts';
import { fakeEmbeddingModel } from '../fakes/embedding-model.ts';

/**
 * An embedding model that stands still on demand: while it is shut, each call for documents waits to be let go, or for its
 * signal. `arrived` settles when one is waiting.
 */
export function gatedEmbeddingModel(options: Parameters<typeof fakeEmbeddingModel>[0] = {}) {
  const model = fakeEmbeddingModel(options);
  const waiting = new Set<() => void>();
  let shut = false;
  let announce: (options: EmbedOptions) => void = () => undefined;
  const arrival = () =>
    new Promise<EmbedOptions>((resolve) => {
      announce = resolve;
    });
  const letGo = () => {
    for (const go of waiting) go();
    waiting.clear();
  };
  return {
    ...model,
    async embed(texts: readonly string[], options: EmbedOptions) {
      if (shut && options.inputType === 'document') {
        await new Promise<void>((resolve, reject) => {
          waiting.add(resolve);
          options.signal?.addEventListener('abort', () => reject(options.signal?.reason), { once: true });
          announce(options);
        });
      }
      return model.embed(texts, options);
    },
    /** From now on calls wait; gives the options of the first that does. */
    shut(): Promise<EmbedOptions> {
      shut = true;
      return arrival();
    },
    /** Lets go what waits, and gives the options of the next that comes to wait. */
    next(): Promise<EmbedOptions> {
      const next = arrival();
      letGo();
      return next;
    },
    /** Lets go what waits, and what comes. */
    open(): void {
      shut = false;
      letGo();
    },
  };
}
