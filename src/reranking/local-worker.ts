import type { Exchange } from '../processes/exchange.ts';
import { serveRequests } from '../processes/serve.ts';
import { type CrossEncoder, loadCrossEncoder } from './cross-encoder.ts';
import type { CrossEncoderLayout } from './folder-layout.ts';

// The entry of a child process: it scores passages for a question and holds nothing of the service. Its argument is the layout of
// a cross-encoder's folder.

/** What the children that score are asked, and what they answer. */
export interface LocalScoring extends Exchange {
  request: { query: string; document: string };
  part: never;
  result: number;
  /** What was wrong. */
  failure: string;
}

const [, , , layout = ''] = process.argv;
let loading: Promise<CrossEncoder> | undefined;
let last: Promise<unknown> = Promise.resolve();

serveRequests<LocalScoring>({
  serve: async ({ query, document }, { signal }) => {
    loading ??= loadCrossEncoder(JSON.parse(layout) as CrossEncoderLayout);
    const score = await loading;
    // one after the other, so that one that nobody waits for any more is never begun
    const mine = last.then(() => {
      signal.throwIfAborted();
      return score(query, document);
    });
    last = mine.catch(() => undefined);
    return mine;
  },
  toFailure: (error) => (error instanceof Error ? error.message : String(error)),
});
