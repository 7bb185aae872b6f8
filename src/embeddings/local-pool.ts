import type { Unserved } from '../processes/exchange.ts';
import { createProcessPool, type PoolFigures } from '../processes/pool.ts';
import type { WorkerEntry } from '../worker-entry.ts';
import type { LocalEmbedding } from './local-worker.ts';
import { EmbeddingError, type EmbeddingInputType } from './model.ts';

/** What a pool's processes run, and what they may take. */
export interface EncoderProcesses {
  entry: WorkerEntry;
  size: number;
  /** Most memory of one's JavaScript heap, and in all. */
  heapMb: number;
  memoryMb: number;
  /** Texts that one may have at a time. */
  textsAtOnce: number;
}

/** A text takes some ten milliseconds; loading the encoder and questions that go first are included. */
const DEADLINE_MS = 120_000;

export interface EncoderPool {
  /**
   * The vector of one text. An abort rejects at once with the signal's reason, all else with an `EmbeddingError`:
   * retryable unless the text is at fault or the pool is closed.
   */
  run(text: string, inputType: EmbeddingInputType, signal: AbortSignal | undefined): Promise<Float32Array>;
  figures(): PoolFigures;
  close(): Promise<void>;
}

/** A pool of processes that embed texts. A question goes to a process at once and overtakes the documents there. */
export function createEncoderPool({ textsAtOnce, ...processes }: EncoderProcesses): EncoderPool {
  const pool = createProcessPool<LocalEmbedding>({
    ...processes,
    deadlineMs: DEADLINE_MS,
    requestsAtOnce: textsAtOnce,
    whenAborted: 'tell',
  });
  return {
    async run(text, inputType, signal) {
      const outcome = await pool.run({ text, inputType }, { signal, isUrgent: inputType === 'query' });
      if (outcome.kind !== 'result') throw errorOf(outcome);
      // a copy: what a process sends is a view of the whole message
      return new Float32Array(outcome.result);
    },
    figures: pool.figures,
    close: pool.close,
  };
}

function errorOf(outcome: Unserved<LocalEmbedding>): EmbeddingError {
  switch (outcome.kind) {
    case 'failure':
      return new EmbeddingError(`Local embedding failed: ${outcome.failure}`, { retryable: false });
    case 'timed_out':
      return new EmbeddingError('The local embedding worker took too long', { retryable: true });
    case 'out_of_memory':
    case 'killed':
    case 'crashed':
      return new EmbeddingError('The local embedding worker died', { retryable: true, cause: outcome.cause });
    case 'closed':
      return new EmbeddingError('The local embedding model is closed', { retryable: false });
  }
}
