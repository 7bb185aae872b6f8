import { setTimeout as delay } from 'node:timers/promises';
import { readConfig } from '../src/config.ts';
import { createRerankModel } from '../src/providers.ts';
import { createReranker, type Reranker } from '../src/retrieval/rerank.ts';
import { UsageError } from './usage-error.ts';

/** An evaluation has time: figures without the reranker's answer would be those of the search alone. */
const TIMEOUT_MS = 60_000;
const TRIES = 10;
const PAUSE_MS = 6_000;

/** A reranker with the name that results have it under. */
export interface EvalReranker extends Reranker {
  name: string;
}

/**
 * The reranker of the settings, asked until it answers.
 *
 * @throws UsageError when there is none
 */
export function openEvalReranker(): EvalReranker {
  const given = Object.entries(process.env).filter(
    ([name]) => name.startsWith('RERANK_') || name.startsWith('VOYAGE_'),
  );
  const config = readConfig({ ...Object.fromEntries(given), EMBEDDING_PROVIDER: 'local' });
  const model = createRerankModel(config);
  if (!model) throw new UsageError('RERANK_PROVIDER is off: --rerank measures the one of the settings.');
  let problem: unknown;
  const patient = createReranker(
    {
      ...model,
      rerank: (query, documents, options) =>
        model.rerank(query, documents, options).catch((error: unknown) => {
          problem = error;
          throw error;
        }),
    },
    {
      candidates: config.RERANK_CANDIDATES,
      documentTokens: config.RERANK_DOCUMENT_TOKENS,
      timeoutMs: TIMEOUT_MS,
      minScore: config.RERANK_MIN_SCORE,
    },
  );
  return {
    name: `${model.provider}/${model.id}`,
    candidates: patient.candidates,
    async rerank(query, hits, options) {
      for (let tries = 0; tries < TRIES; tries += 1) {
        if (tries > 0) await delay(PAUSE_MS);
        const reranked = await patient.rerank(query, hits, options);
        if (reranked.report === null || reranked.report.outcome === 'done') return reranked;
      }
      throw new Error('the reranker gives no order', { cause: problem });
    },
  };
}
