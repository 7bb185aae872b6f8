import type { Ground } from './compose.ts';
import { summariseFile } from './copilot/summarise.ts';
import { JOB_KINDS } from './db/jobs.ts';
import { createJobWorker, type JobWorker } from './jobs/worker.ts';
import { createIngestionHandlers } from './services/ingestion/handlers.ts';
import { createIndexingHandler } from './services/lexical-index.ts';
import { createOutlineHandler } from './services/outlines/rebuild.ts';
import type { TurnService } from './services/turns/turns.ts';

/** The worker of all kinds of jobs. */
export function createWorker(ground: Ground, turns: TurnService, pollMs: number): JobWorker {
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
  });
  return createJobWorker({
    db,
    handlers: {
      ingest_file: ingestion.ingestFile,
      summarise_file: ingestion.summariseFile,
      summarise_turn: turns.summariseHandler,
      build_outline: createOutlineHandler({ db, converter, telemetry }),
      index_words: createIndexingHandler(db),
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
