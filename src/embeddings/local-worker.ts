import type { Exchange } from '../processes/exchange.ts';
import { serveRequests } from '../processes/serve.ts';
import { createEncoderQueue, type EncoderQueue } from './encoder-queue.ts';
import { loadFolderEncoder } from './folder-encoder.ts';
import type { EncoderLayout } from './folder-layout.ts';
import { loadLocalEncoder } from './local-encoder.ts';
import type { EmbeddingInputType } from './model.ts';

// The entry of a child process: it embeds texts and holds nothing of the service. Its argument, if there is one, is the
// layout of an encoder's folder.

/** What the children that embed are asked, and what they answer. */
export interface LocalEmbedding extends Exchange {
  request: { text: string; inputType: EmbeddingInputType };
  part: never;
  result: Float32Array;
  /** What was wrong. */
  failure: string;
}

const [, , , layout] = process.argv;
let loading: Promise<EncoderQueue> | undefined;

serveRequests<LocalEmbedding>({
  serve: async ({ text, inputType }, { signal }) => {
    loading ??= load();
    const queue = await loading;
    signal.throwIfAborted();
    return queue.embed(text, inputType, signal);
  },
  toFailure: (error) => (error instanceof Error ? error.message : String(error)),
});

async function load(): Promise<EncoderQueue> {
  const queue =
    layout === undefined
      ? createEncoderQueue(await loadLocalEncoder())
      : createEncoderQueue(await loadFolderEncoder(JSON.parse(layout) as EncoderLayout));
  // what was read and written on the way is as large as the encoder, and nothing else would make it go soon
  globalThis.gc?.();
  return queue;
}
