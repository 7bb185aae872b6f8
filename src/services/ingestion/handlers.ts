import type { FileFailure } from '../../contract/file.ts';
import { usageFigures } from '../../copilot/usage.ts';
import { forWorkspace } from '../../db/bound-database.ts';
import type { Database, Queryable } from '../../db/database.ts';
import {
  type IngestRun,
  lacksSummary,
  markFailed,
  markSummaryFailed,
  recordProgress,
  recordWait,
  saveSummary,
} from '../../db/file-runs.ts';
import { readMarkdown } from '../../db/file-versions.ts';
import { enqueueJob, type Job } from '../../db/jobs.ts';
import { takeUpNewest } from '../../db/project-restore.ts';
import { holdProject, refreshFileSummaries } from '../../db/projects.ts';
import { refreshStatistics } from '../../db/statistics.ts';
import { addUsage } from '../../db/usage.ts';
import { ConversionError } from '../../documents/formats/converted.ts';
import { EmbeddingError } from '../../embeddings/model.ts';
import { AppError, DatabaseError, problemOfDatabase } from '../../errors.ts';
import type { JobHandler } from '../../jobs/run-job.ts';
import type { OnUsage, TokenUsage } from '../../llm/model.ts';
import type { Scope } from '../../scope.ts';
import { storableText } from '../../text/storable.ts';
import { WeighedError } from '../../weight.ts';
import { enqueueIngest } from '../file-runs.ts';
import { enqueueSegmentsOf } from '../segments.ts';
import { ingestVersion, type PipelineDeps } from './ingest-version.ts';

const SUMMARY_ATTEMPTS = 4;

export interface IngestionDeps extends PipelineDeps {
  /** One paragraph on what a document holds, from its opening. */
  summarise(
    input: { filename: string; markdown: string },
    signal: AbortSignal,
    onUsage: OnUsage,
  ): Promise<string>;
  /** Has contexts written for what has become searchable, where they are wanted. */
  followContexts(tx: Queryable, scope: Scope, fileId: string): Promise<void>;
}

const versionOf = (job: Job): number => Number(job.payload.version);

const runOf = (job: Job): IngestRun => ({
  fileId: job.subject,
  version: versionOf(job),
  run: Number(job.payload.run ?? 0),
  attempt: job.attempts,
});

const KILLED: FileFailure = {
  code: 'conversion_crashed',
  message:
    'The converter was ended from outside while it read this file, also when it read nothing else: most likely the machine ran out of memory. Retry the file when there is more, or split it.',
  retryable: true,
};

/** What a file's owner is told about a failure; nothing internal. */
function failureOf(error: unknown): FileFailure {
  if (error instanceof ConversionError) return { code: error.code, message: error.message, retryable: false };
  if (error instanceof WeighedError) return KILLED;
  if (error instanceof AppError) return { code: error.code, message: error.detail, retryable: false };
  if (error instanceof EmbeddingError) {
    if (error.isPostponed) return postponement(error);
    if (error.advice !== undefined) {
      const message = `${error.advice} The file is kept: retry it then.`;
      return { code: 'provider_misconfigured', message, retryable: true };
    }
    return {
      code: 'embedding_unavailable',
      message: 'The sections could not be embedded: the embedding provider failed. Retry the file later.',
      retryable: true,
    };
  }
  if (error instanceof DatabaseError && error.isPostponed) {
    const { code, detail } = problemOfDatabase(error);
    return { code, message: `${detail} The file is kept, and goes on by itself then.`, retryable: true };
  }
  return {
    code: 'internal_error',
    message: 'The file could not be ingested because of a failure on our side. Retry it; its bytes are kept.',
    retryable: true,
  };
}

/** Nothing has failed yet: the file waits, for the limits of the provider or for a service with other settings. */
const postponement = ({ advice }: EmbeddingError): FileFailure => ({
  code: advice === undefined ? 'embedding_unavailable' : 'provider_misconfigured',
  message: `${advice ?? 'The limits that are set for the embedding provider are used up.'} The file is kept, and goes on by itself then.`,
  retryable: true,
});

/** Whether another attempt of the job could end differently. */
const isLasting = (error: unknown): boolean =>
  error instanceof ConversionError ||
  error instanceof AppError ||
  (error instanceof EmbeddingError && !error.retryable);

async function keepSummary(db: Database, job: Job, summary: string) {
  await db.transaction(async (tx) => {
    if (!(await holdProject(tx, job))) return;
    const saved = await saveSummary(tx, job, job.subject, versionOf(job), storableText(summary));
    if (saved) await refreshFileSummaries(tx, job);
  });
}

/** Does nothing for a version that has a summary already: a run that was broken off is not charged twice. */
async function summarise(deps: IngestionDeps, job: Job, signal: AbortSignal): Promise<void> {
  if (!(await lacksSummary(deps.db, job, job.subject, versionOf(job)))) return;
  const markdown = await readMarkdown(deps.db, job, job.subject, versionOf(job));
  if (markdown === null) return;
  const filename = String(job.payload.filename ?? '');
  const calls: { usage: TokenUsage; model: string }[] = [];
  try {
    const summary = await deps.summarise({ filename, markdown }, signal, (usage, model) =>
      calls.push({ usage, model }),
    );
    await keepSummary(deps.db, job, summary);
  } finally {
    for (const { usage, model } of calls) await charge(deps.db, job, usage, model);
  }
}

const charge = (db: Database, job: Job, usage: TokenUsage, model: string): Promise<void> =>
  addUsage(db, job, {
    phase: 'file_summary',
    model,
    calls: 1,
    ...usageFigures(usage),
  });

/** The handlers of the jobs about files. */
export function createIngestionHandlers(deps: IngestionDeps): {
  ingestFile: JobHandler;
  summariseFile: JobHandler;
} {
  const { db } = deps;

  const fail = (job: Job, error: unknown) => markFailed(db, job, runOf(job), failureOf(error));

  /** The version is searchable: a summary that failed is tried again by a job of its own. */
  const complete = (job: Job, isSummarised: boolean) =>
    db.transaction(async (tx) => {
      if (!(await recordProgress(tx, job, runOf(job), { status: 'completed', stage: null }))) return;
      const newer = await takeUpNewest(tx, job, job.subject);
      if (newer) return enqueueIngest(tx, job, newer, null);
      await deps.followContexts(tx, job, job.subject);
      if (isSummarised) return;
      await enqueueJob(tx, job, {
        kind: 'summarise_file',
        subject: job.subject,
        payload: job.payload,
        maxAttempts: SUMMARY_ATTEMPTS,
      });
    });

  return {
    ingestFile: {
      async run(job, signal) {
        try {
          // converters and encoders tell how far they are, and they are of no workspace
          const own = { ...deps, db: forWorkspace(db, job.workspaceId) };
          if (!(await ingestVersion(own, job, runOf(job), { signal, weight: job.weight }))) return;
        } catch (error) {
          if (!isLasting(error)) throw error;
          return fail(job, error);
        }
        await refreshStatistics(db);
        const isSummarised = await summarise(deps, job, signal).then(
          () => true,
          () => false,
        );
        await complete(job, isSummarised);
        await enqueueSegmentsOf(db, job);
      },
      retrying: (job, error, delaySeconds) =>
        recordWait(db, job, runOf(job), {
          seconds: delaySeconds,
          rateLimited: error instanceof EmbeddingError && error.status === 429,
          failure: failureOf(error),
        }),
      giveUp: fail,
    },

    summariseFile: {
      run: (job, signal) => summarise(deps, job, signal),
      giveUp: (job) => markSummaryFailed(db, job, job.subject, versionOf(job)),
    },
  };
}
