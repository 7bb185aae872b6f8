import type { Database } from '../db/database.ts';
import { readMarkdown } from '../db/file-versions.ts';
import { type FileFailure, markFailed, updateProgress } from '../db/files.ts';
import { holdProject, refreshFileSummaries } from '../db/projects.ts';
import { refreshStatistics } from '../db/statistics.ts';
import { ConversionError } from '../documents/convert/converted.ts';
import { ingestVersion, type PipelineDeps } from '../documents/pipeline.ts';
import { EmbeddingError } from '../embeddings/model.ts';
import { AppError } from '../errors.ts';
import { enqueueJob, type Job } from '../jobs/queue.ts';
import type { JobHandler } from '../jobs/worker.ts';
import type { Scope } from '../scope.ts';
import { storableText } from '../text.ts';

const SUMMARY_ATTEMPTS = 4;

export interface IngestionDeps extends PipelineDeps {
  /** One paragraph on what a document holds, from its opening. */
  summarise(input: { filename: string; markdown: string }, signal: AbortSignal): Promise<string>;
}

const versionOf = (job: Job): number => Number(job.payload.version);

/** What a file's owner is told about a failure; nothing internal. */
function failureOf(error: unknown): FileFailure {
  if (error instanceof ConversionError) return { code: error.code, message: error.message, retryable: false };
  if (error instanceof AppError) return { code: error.code, message: error.detail, retryable: false };
  if (error instanceof EmbeddingError) {
    return {
      code: 'embedding_unavailable',
      message: 'The sections could not be embedded: the embedding provider failed. Retry the file later.',
      retryable: true,
    };
  }
  return {
    code: 'internal_error',
    message: 'The file could not be ingested because of a failure on our side. Retry it; its bytes are kept.',
    retryable: true,
  };
}

/** Whether another attempt of the job could end differently. */
const isLasting = (error: unknown): boolean =>
  error instanceof ConversionError ||
  error instanceof AppError ||
  (error instanceof EmbeddingError && !error.retryable);

async function saveSummary(db: Database, scope: Scope, fileId: string, version: number, summary: string) {
  await db.transaction(async (tx) => {
    if (!(await holdProject(tx, scope))) return;
    const progress = { summary: storableText(summary), summaryStatus: 'completed' } as const;
    if (await updateProgress(tx, scope, fileId, version, progress)) await refreshFileSummaries(tx, scope);
  });
}

async function summarise(deps: IngestionDeps, job: Job, signal: AbortSignal): Promise<void> {
  const markdown = await readMarkdown(deps.db, job, job.subject, versionOf(job));
  if (markdown === null) return;
  const filename = String(job.payload.filename ?? '');
  await saveSummary(
    deps.db,
    job,
    job.subject,
    versionOf(job),
    await deps.summarise({ filename, markdown }, signal),
  );
}

/** The handlers of the jobs about files. */
export function createIngestionHandlers(deps: IngestionDeps): {
  ingestFile: JobHandler;
  summariseFile: JobHandler;
} {
  const { db } = deps;

  const fail = async (job: Job, error: unknown) => {
    await markFailed(db, job, job.subject, versionOf(job), failureOf(error));
  };

  return {
    ingestFile: {
      async run(job, signal) {
        const version = versionOf(job);
        const file = { fileId: job.subject, version, attempt: job.attempts };
        try {
          if (!(await ingestVersion(deps, job, file, signal))) return;
        } catch (error) {
          if (!isLasting(error)) throw error;
          return fail(job, error);
        }
        await refreshStatistics(db);
        // the file is searchable by now: a summary that fails is tried again by a job of its own
        try {
          await summarise(deps, job, signal);
        } catch {
          await enqueueJob(db, job, {
            kind: 'summarise_file',
            subject: job.subject,
            payload: job.payload,
            maxAttempts: SUMMARY_ATTEMPTS,
          });
        }
        await updateProgress(db, job, job.subject, version, { status: 'completed', stage: null });
      },
      giveUp: fail,
    },

    summariseFile: {
      run: (job, signal) => summarise(deps, job, signal),
      async giveUp(job) {
        await updateProgress(db, job, job.subject, versionOf(job), { summaryStatus: 'failed' });
      },
    },
  };
}
