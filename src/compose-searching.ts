import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { EmbeddingModel } from './embeddings/model.ts';
import type { SharedRatesOf } from './providers.ts';
import type { RerankModel } from './reranking/model.ts';
import { createQueryEmbedder } from './retrieval/query-vector.ts';
import { createReranker, type Reranker } from './retrieval/rerank.ts';
import { foreignVectors } from './services/embedding-settings.ts';
import { type Watchers, watchEmbeddingModel, watchRerankModel } from './services/providers/watch.ts';
import { createQueryUsage } from './services/query-usage.ts';

interface SearchingParts {
  system: Database;
  embeddingModel: EmbeddingModel;
  rerankModel: RerankModel | null;
  sharedOf: SharedRatesOf;
  watchers: Watchers;
}

/** What makes vectors, what orders passages, and where what searches spend is booked. */
export function createSearching(config: Config, log: Logger, parts: SearchingParts) {
  const { system, embeddingModel: encoder, rerankModel, watchers } = parts;
  const embeddingModel = watchEmbeddingModel(encoder, watchers);
  return {
    embeddingModel,
    queryEmbedder: createQueryEmbedder(embeddingModel, {
      isInForce: async () => (await foreignVectors(system, encoder)) === null,
      onFallback: () => watchers.metrics.providers.fellBack('embed'),
    }),
    rerankModel,
    reranker: rerankModel && rerankerOf(config, rerankModel, parts),
    queryUsage: createQueryUsage({ db: system, log }),
  };
}

/** The reranker for searches. Pauses that its provider asks for are kept by all instances. */
const rerankerOf = (
  config: Config,
  model: RerankModel,
  { watchers, sharedOf }: Pick<SearchingParts, 'watchers' | 'sharedOf'>,
): Reranker =>
  createReranker(watchRerankModel(model, watchers), {
    candidates: config.RERANK_CANDIDATES,
    documentTokens: config.RERANK_DOCUMENT_TOKENS,
    timeoutMs: config.RERANK_TIMEOUT_MS,
    minScore: config.RERANK_MIN_SCORE,
    shared: sharedOf(model.provider, model.id),
    onFallback: () => watchers.metrics.providers.fellBack('rerank'),
  });
