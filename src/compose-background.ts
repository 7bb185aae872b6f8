import type { Ground } from './compose.ts';
import { createContextJob, createContexts } from './compose-contexts.ts';
import type { Config } from './config.ts';
import { summariseFile } from './copilot/summarise.ts';
import { JOB_KINDS } from './db/jobs.ts';
import { openUnlimited } from './db/open.ts';
import { makesVectors } from './embeddings/off.ts';
import { createJobWorker, type JobWorker } from './jobs/worker.ts';
import { createHousekeeping, type Housekeeping } from './services/housekeeping.ts';
import { createIngestionHandlers } from './services/ingestion/handlers.ts';
import { createIndexingHandler } from './services/lexical-index.ts';
import { createOutlineHandler } from './services/outlines/rebuild.ts';
import type { Retention } from './services/retention.ts';
import { createSegmentsHandler } from './services/segments.ts';
import type { TurnService } from './services/turns/turns.ts';
import { createVectorIndexKeeper, type VectorIndexKeeper } from './services/vector-index-keeper.ts';
import { keepVectorIndexes } from './services/vector-indexes.ts';
import { createDispatcher, type Dispatcher } from './services/webhooks/dispatcher.ts';

/** The worker of all kinds of jobs. */
function createWorker(ground: Ground, turns: TurnService, pollMs: number): JobWorker {
  const { config, log, db, originals, converter, embeddingModel, models, telemetry, metrics } = ground;
  metrics.jobs.expect(JOB_KINDS);
  const ingestion = createIngestionHandlers({
    db,
    originals,
    converter,
    embeddingModel,
    onOutline: () => telemetry.add('builds'),
    onStage: metrics.jobs.stage,
    onEmbedded: metrics.jobs.embedded,
    summarise: (input, signal, onUsage) => summariseFile(models.summary, input, signal, onUsage),
    followContexts: createContexts(ground).follow,
  });
  return createJobWorker({
    db,
    handlers: {
      ingest_file: ingestion.ingestFile,
      summarise_file: ingestion.summariseFile,
      summarise_turn: turns.summariseHandler,
      build_outline: createOutlineHandler({ db, converter, telemetry }),
      index_words: createIndexingHandler(db, log),
      merge_postings: createSegmentsHandler(db),
      write_contexts: createContextJob(ground),
    },
    concurrency: config.JOB_CONCURRENCY,
    projectConcurrency: config.JOB_PROJECT_CONCURRENCY,
    onChange: () => ground.fileChanges.nudge(),
    onSettled: metrics.jobs.settled,
    leaseSeconds: config.JOB_LEASE_SECONDS,
    pollMs,
    log,
  });
}

/** What sends events to webhooks. */
function createWebhookDispatcher(
  { config, system, webhookSecrets, log }: Ground,
  pollMs: number,
): Dispatcher {
  return createDispatcher({
    db: system,
    secrets: webhookSecrets,
    terms: {
      timeoutMs: config.WEBHOOK_TIMEOUT_SECONDS * 1000,
      allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
      attempts: config.WEBHOOK_ATTEMPTS,
      retrySeconds: config.WEBHOOK_RETRY_SECONDS,
    },
    pollMs,
    log,
  });
}

const retentionOf = (config: Config): Retention => ({
  turnsDays: config.RETENTION_TURNS_DAYS,
  receiptsDays: config.RETENTION_RECEIPTS_DAYS,
  eventsDays: config.RETENTION_EVENTS_DAYS,
  researchDays: config.RETENTION_RESEARCH_DAYS,
  auditDays: config.RETENTION_AUDIT_DAYS,
  feedDays: config.RETENTION_FEED_DAYS,
  fileVersions: config.RETENTION_FILE_VERSIONS,
  window: config.ALWAYS_ON_TURN_WINDOW,
});

const housekeepingOf = (ground: Ground): Housekeeping =>
  createHousekeeping({
    ...ground,
    db: ground.system,
    embeddingCacheDays: ground.config.EMBEDDING_CACHE_DAYS,
    retention: retentionOf(ground.config),
  });

/** The embedded database compares all vectors: it is for projects that are smaller. */
function vectorIndexKeeperOf({ config, db, system, embeddingModel, log }: Ground): VectorIndexKeeper {
  const url = config.DATABASE_MIGRATION_URL ?? config.DATABASE_URL;
  const deps = {
    db: system,
    fromLeaves: config.VECTOR_INDEX_FROM_LEAVES,
    dimensions: embeddingModel.dimensions,
  };
  const keep =
    db.kind === 'server' && url !== undefined && makesVectors(embeddingModel)
      ? (signal: AbortSignal) => keepVectorIndexes({ ...deps, open: () => openUnlimited(url) }, { signal })
      : undefined;
  return createVectorIndexKeeper({ keep, log });
}

/** What works by itself, and is asked for by nobody. */
export function createBackground(ground: Ground, turns: TurnService, pollMs: number) {
  const worker = createWorker(ground, turns, pollMs);
  const dispatcher = createWebhookDispatcher(ground, pollMs);
  const housekeeping = housekeepingOf(ground);
  const vectorIndexes = vectorIndexKeeperOf(ground);
  return {
    worker,
    dispatcher,
    /** Settles when nothing that nobody asked for is on its way any more. */
    async settle(): Promise<void> {
      await Promise.all([housekeeping.stop(), vectorIndexes.stop()]);
    },
    start(): void {
      worker.start();
      dispatcher.start();
      housekeeping.start();
      vectorIndexes.start();
    },
    /** Takes up no job and no delivery any more, gives those under way so long, then breaks them off. */
    async stop(graceMs: number): Promise<void> {
      await Promise.all([worker.stop(graceMs), dispatcher.stop(graceMs)]);
    },
  };
}

export type Background = ReturnType<typeof createBackground>;
