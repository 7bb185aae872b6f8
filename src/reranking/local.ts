import type { Unserved } from '../processes/exchange.ts';
import { createProcessPool } from '../processes/pool.ts';
import { together } from '../processes/together.ts';
import { workerEntry } from '../worker-entry.ts';
import { type CrossEncoderLayout, crossEncoderError } from './folder-layout.ts';
import type { LocalScoring } from './local-worker.ts';
import { RerankError, type RerankModel } from './model.ts';

const MB = 2 ** 20;
/** A pair takes some ten milliseconds; loading the network is included. */
const DEADLINE_MS = 120_000;
/** One at work and one in its mail: a process never idles, and a search that is given up leaves little behind. */
const PAIRS_AT_ONCE = 2;

/** The reranker that needs neither key nor network: the cross-encoder of a folder, in worker processes. */
export function createLocalReranker(layout: CrossEncoderLayout, workers: number): RerankModel {
  const { path, execArgv } = workerEntry(import.meta.url, './local-worker');
  const pool = createProcessPool<LocalScoring>({
    entry: { path, execArgv, args: [JSON.stringify(layout)] },
    size: workers,
    // vocabularies of many languages have a quarter of a million pieces
    heapMb: 1_024,
    // the runtime reads a network, and then lays it out anew for its computations
    memoryMb: 1_536 + Math.ceil((4 * layout.modelBytes) / MB),
    deadlineMs: DEADLINE_MS,
    requestsAtOnce: PAIRS_AT_ONCE,
    whenAborted: 'tell',
  });

  async function score(query: string, document: string, signal: AbortSignal | undefined): Promise<number> {
    const outcome = await pool.run({ query, document }, { signal });
    if (outcome.kind === 'result') return outcome.result;
    throw errorOf(outcome);
  }

  return {
    provider: 'local',
    id: layout.id,
    limits: { documentsPerCall: 1_000, tokensPerCall: Number.POSITIVE_INFINITY },
    async rerank(query, documents, { signal }) {
      const scores = await together(
        signal,
        (document: string, either) => score(query, document, either),
        (scoreOne) => Promise.all(documents.map(scoreOne)),
      );
      return { scores, tokens: 0, calls: 1 };
    },
    async tryOut() {
      await score('Is there anybody?', 'Somebody is there.', undefined).catch((error: Error) => {
        const advice = `${error.message}. Try another cross-encoder, or export this one anew.`;
        throw crossEncoderError(layout.folder, advice);
      });
    },
    processes: () => pool.figures(),
    close: () => pool.close(),
  };
}

function errorOf(outcome: Unserved<LocalScoring>): RerankError {
  switch (outcome.kind) {
    case 'failure':
      return new RerankError({ message: `Local reranking failed: ${outcome.failure}`, retryable: false });
    case 'timed_out':
      return new RerankError({ message: 'The local reranker took too long', retryable: true });
    case 'out_of_memory':
    case 'killed':
    case 'crashed':
      return new RerankError({
        message: 'The process of the local reranker died',
        retryable: true,
        cause: outcome.cause,
      });
    case 'closed':
      return new RerankError({ message: 'The local reranker is closed', retryable: false });
  }
}
