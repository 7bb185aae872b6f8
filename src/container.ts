import { join } from 'node:path';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { summariseFile } from './copilot/summarise.ts';
import { createCalibrator } from './copilot/token-calibration.ts';
import type { Database } from './db/database.ts';
import { endAllLeases } from './db/leases.ts';
import { migrate } from './db/migrate.ts';
import { openDatabase } from './db/open.ts';
import { createConverter } from './documents/conversion/pool.ts';
import { createLocalModel } from './embeddings/local.ts';
import type { EmbeddingModel } from './embeddings/model.ts';
import { createVoyageModel } from './embeddings/voyage.ts';
import { createJobWorker } from './jobs/worker.ts';
import { loadKnowledge } from './knowledge/load.ts';
import { createAnthropicModel } from './llm/anthropic.ts';
import type { LanguageModel } from './llm/model.ts';
import { type Effort, tokenFactorOf } from './llm/models.ts';
import { createOfflineModel } from './llm/offline.ts';
import { packageRoot } from './package-root.ts';
import { createQueryEmbedder } from './retrieval/query-vector.ts';
import { createArtifactService } from './services/artifacts.ts';
import { createCitationService } from './services/citations.ts';
import { assertEmbeddingModel } from './services/embedding-settings.ts';
import { createFileService } from './services/files.ts';
import { createHousekeeping } from './services/housekeeping.ts';
import { createIdempotencyService } from './services/idempotency.ts';
import { createIngestionHandlers } from './services/ingestion/handlers.ts';
import { createIndexingHandler } from './services/lexical-index.ts';
import { createMetricsService } from './services/metrics.ts';
import { createOutlineHandler } from './services/outlines/rebuild.ts';
import { createOutlineService } from './services/outlines/service.ts';
import { createStoredOutlines } from './services/outlines/stored-outlines.ts';
import { createOutlineTelemetry } from './services/outlines/telemetry.ts';
import { createProjectService } from './services/projects.ts';
import { createSearchService } from './services/search.ts';
import { createStalenessService } from './services/staleness.ts';
import { createSystemService } from './services/system.ts';
import { createTurnEventLog, createTurnEventService } from './services/turns/events.ts';
import { createTurnService } from './services/turns/turns.ts';
import { createUsageService } from './services/usage.ts';
import { version } from './version.ts';

const JOB_POLL_MS = 500;
const ROUTER_TOKEN_BUDGET = 2_000;
// a turn goes on without a route that does not come in time
const ROUTE_TIMEOUT_MS = 20_000;

/** Parts that stand in for those that the settings name. */
export interface ContainerOverrides {
  db?: Database;
  embeddingModel?: EmbeddingModel;
  answerModel?: LanguageModel;
  smallModel?: LanguageModel;
  jobPollMs?: number;
}

/** The embedding model that the settings name. */
export function createEmbeddingModel(config: Config): EmbeddingModel {
  if (config.embeddingProvider === 'local') return createLocalModel({ workers: config.EMBEDDING_WORKERS });
  return createVoyageModel({
    apiKey: config.VOYAGE_API_KEY ?? '',
    model: config.EMBEDDING_MODEL,
    dimensions: config.EMBEDDING_DIMENSIONS,
    ...(config.VOYAGE_BASE_URL !== undefined && { baseUrl: config.VOYAGE_BASE_URL }),
  });
}

function createLanguageModel(config: Config, model: string, effort: Effort): LanguageModel {
  if (config.ANTHROPIC_API_KEY === undefined) return createOfflineModel();
  return createAnthropicModel({
    apiKey: config.ANTHROPIC_API_KEY,
    model,
    effort,
    timeoutMs: config.MODEL_TIMEOUT_SECONDS * 1000,
    ...(config.ANTHROPIC_BASE_URL !== undefined && { baseUrl: config.ANTHROPIC_BASE_URL }),
  });
}

/**
 * Puts the parts together: the one place that knows them all. The database is migrated and the job worker runs when it
 * returns; `close` ends everything in the reverse order.
 */
export async function createContainer(config: Config, log: Logger, overrides: ContainerOverrides = {}) {
  const knowledge = await loadKnowledge(join(packageRoot, 'knowledge'));
  const db =
    overrides.db ??
    (await openDatabase({
      url: config.DATABASE_URL,
      dataDir: config.DATA_DIR,
      poolSize: config.DATABASE_POOL_SIZE,
      prepare: config.DATABASE_PREPARE,
      onError: (err) => log.error({ err }, 'a database connection failed'),
      ...(log.isLevelEnabled('trace') && { onStatement: (entry) => log.trace(entry, 'statement') }),
    }));
  const embeddingModel = overrides.embeddingModel ?? createEmbeddingModel(config);
  try {
    const applied = await migrate(db);
    if (applied.length > 0) log.info({ applied }, 'migrated');
    await assertEmbeddingModel(db, embeddingModel);
    // the folder of the embedded database is locked: there is no other process
    if (db.kind === 'embedded' && !overrides.db) await endAllLeases(db);
  } catch (error) {
    await Promise.allSettled([db.close(), embeddingModel.close()]);
    throw error;
  }

  const answerModel =
    overrides.answerModel ?? createLanguageModel(config, config.MODEL_NAME, config.ANSWER_EFFORT);
  const routerModel =
    overrides.smallModel ?? createLanguageModel(config, config.ROUTER_MODEL, config.ROUTER_EFFORT);
  const summaryModel =
    overrides.smallModel ?? createLanguageModel(config, config.TURN_SUMMARY_MODEL, config.SUMMARY_EFFORT);
  const queryEmbedder = createQueryEmbedder(embeddingModel);
  const converter = createConverter({
    processes: config.CONVERSION_PROCESSES,
    heapMb: config.CONVERSION_HEAP_MB,
    timeoutMs: config.CONVERSION_TIMEOUT_SECONDS * 1000,
  });

  let stopping = false;
  const onJob = (inMs?: number) => worker.nudge(inMs);
  const files = createFileService({
    db,
    defaultChunking: {
      strategy: 'hierarchical',
      leaf_min_tokens: config.LEAF_CHUNK_MIN_TOKENS,
      leaf_max_tokens: config.LEAF_CHUNK_MAX_TOKENS,
      parent_max_tokens: config.PARENT_CHUNK_MAX_TOKENS,
    },
    maxFilesPerProject: config.MAX_FILES_PER_PROJECT,
    editPace: { debounceMs: config.EDIT_DEBOUNCE_MS, intervalMs: config.EDIT_INTERVAL_MS },
    converter,
    embeddingModel,
    onJob,
    onJobsRemoved: () => worker.checkLeases(),
  });
  const telemetry = createOutlineTelemetry();
  const outlines = createOutlineService({
    db,
    queryEmbedder,
    telemetry,
    stored: createStoredOutlines({ db, telemetry, onJob }),
  });
  const eventLog = createTurnEventLog({ db, log });
  const turns = createTurnService({
    db,
    knowledge,
    models: { answer: answerModel, router: routerModel, summary: summaryModel },
    embeddingModel,
    embedder: queryEmbedder,
    options: {
      budgets: {
        turn: config.TURN_TOKEN_BUDGET,
        filler: config.FILLER_TOKEN_BUDGET,
        router: ROUTER_TOKEN_BUDGET,
      },
      window: config.ALWAYS_ON_TURN_WINDOW,
      maxDocumentResults: config.MAX_DOCUMENT_RESULTS,
      maxConversationResults: config.MAX_CONVERSATION_RESULTS,
      maxToolRounds: config.MAX_TOOL_ROUNDS,
      maxOutputTokens: config.MAX_OUTPUT_TOKENS,
      leaseSeconds: config.TURN_LEASE_SECONDS,
      routeTimeoutMs: ROUTE_TIMEOUT_MS,
      turnTimeoutMs: config.MODEL_TIMEOUT_SECONDS * 1000 * config.MAX_TOOL_ROUNDS,
    },
    calibrator: createCalibrator(tokenFactorOf),
    onEvent: eventLog.sink,
    nudgeJobs: onJob,
    log,
  });
  const idempotency = createIdempotencyService({ db, log });
  const housekeeping = createHousekeeping({
    db,
    embeddingCacheDays: config.EMBEDDING_CACHE_DAYS,
    onJob,
    log,
  });
  const ingestion = createIngestionHandlers({
    db,
    converter,
    embeddingModel,
    onOutline: () => telemetry.add('builds'),
    summarise: (input, signal) => summariseFile(summaryModel, input, signal),
  });
  const worker = createJobWorker({
    db,
    handlers: {
      ingest_file: ingestion.ingestFile,
      summarise_file: ingestion.summariseFile,
      summarise_turn: turns.summariseHandler,
      build_outline: createOutlineHandler({ db, converter, telemetry }),
      index_words: createIndexingHandler(db),
    },
    concurrency: config.JOB_CONCURRENCY,
    leaseSeconds: config.JOB_LEASE_SECONDS,
    pollMs: overrides.jobPollMs ?? JOB_POLL_MS,
    log,
  });
  const app = await buildApp(
    {
      projects: createProjectService({ db }),
      artifacts: createArtifactService({ db }),
      files,
      outlines,
      search: createSearchService({ db, embeddingModel, queryEmbedder }),
      turns,
      turnEvents: createTurnEventService({ db, events: eventLog, getTurn: turns.getTurn, log }),
      idempotency,
      usage: createUsageService({ db }),
      staleness: createStalenessService({ db }),
      citations: createCitationService({ db }),
      knowledge,
      metrics: createMetricsService(telemetry),
      system: createSystemService({
        db,
        embedding: {
          provider: embeddingModel.provider,
          model: embeddingModel.id,
          dimensions: embeddingModel.dimensions,
        },
        models: {
          provider: answerModel.provider,
          answer: answerModel.id,
          router: routerModel.id,
          summary: summaryModel.id,
        },
        isStopping: () => stopping,
      }),
    },
    {
      version,
      maxUploadBytes: config.MAX_UPLOAD_BYTES,
      maxFilesPerUpload: config.MAX_FILES_PER_UPLOAD,
      logger: log,
    },
  );
  converter.warmUp();
  worker.start();
  housekeeping.start();
  turns.warmUp().catch((err: unknown) => log.warn({ err }, 'the probes could not be embedded ahead'));

  return {
    app,
    db,
    databaseKind: db.kind,
    embeddingModel,
    answerModel,
    /** Stores the events of turns that are still in memory. */
    flushEvents: eventLog.flush,
    /** Stops taking requests, then jobs, then ends the parts; each phase has its own time. */
    async close(): Promise<void> {
      stopping = true;
      await turns.stop((config.SHUTDOWN_SECONDS * 1000) / 2);
      await eventLog.flush();
      await app.close();
      await worker.stop((config.SHUTDOWN_SECONDS * 1000) / 2);
      await housekeeping.stop();
      await converter.close();
      await embeddingModel.close();
      await db.close();
    },
  };
}
