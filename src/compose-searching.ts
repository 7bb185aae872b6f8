import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { forSystem } from './db/bound-database.ts';
import type { Database } from './db/database.ts';
import { isOnCluster } from './db/distribution/nodes.ts';
import { openPgReplica } from './db/pg-replica.ts';
import { createReplicaReads, type SearchDatabase, searchDatabaseOf } from './db/search-database.ts';
import type { EmbeddingModel } from './embeddings/model.ts';
import type { SharedRatesOf } from './providers.ts';
import type { RerankModel } from './reranking/model.ts';
import { createQueryEmbedder } from './retrieval/query-vector.ts';
import { createReranker, type Reranker } from './retrieval/rerank.ts';
import { foreignVectors } from './services/embedding-settings.ts';
import { createOutageLog } from './services/outage-log.ts';
import { type Watchers, watchEmbeddingModel, watchRerankModel } from './services/providers/watch.ts';
import { createQueryUsage } from './services/query-usage.ts';
import type { Metrics } from './telemetry/metrics.ts';

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

/** Of a replica: a search takes less, and the server itself is asked where it takes more. */
const REPLICA_STATEMENT_MS = 10_000;

/** Where searches read: standbys where the settings name them, else the database itself. */
export async function openSearchDatabase(
  config: Config,
  { db, log, metrics }: { db: Database; log: Logger; metrics: Metrics },
): Promise<SearchDatabase> {
  const { DATABASE_READ_URL: url } = config;
  if (url === undefined) return searchDatabaseOf(db);
  if (await isOnCluster(forSystem(db))) {
    log.warn('DATABASE_READ_URL is not used: standbys of a cluster do not follow each other');
    return searchDatabaseOf(db);
  }
  const outages = createOutageLog(log, 'reading from DATABASE_READ_URL');
  const replica = openPgReplica({
    url,
    poolSize: config.DATABASE_POOL_SIZE,
    ...(config.DATABASE_PREPARE !== undefined && { prepare: config.DATABASE_PREPARE }),
    statementTimeoutMs: REPLICA_STATEMENT_MS,
    answerTimeoutMs: REPLICA_STATEMENT_MS + 1_000,
    connectTimeoutMs: 1_000,
    onError: outages.failed,
  });
  return createReplicaReads(db, replica, { outages, onOutcome: metrics.database.replicaSearch });
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
