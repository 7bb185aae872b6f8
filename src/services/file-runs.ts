import type { File } from '../contract/file.ts';
import type { Database, Queryable } from '../db/database.ts';
import { cancelRun, type FailedFilter, type QueuedRun, requeueFailed } from '../db/file-runs.ts';
import { enqueueJob, removeJobs } from '../db/jobs.ts';
import { holdProject, refreshFileSummaries } from '../db/projects.ts';
import { AppError } from '../errors.ts';
import type { Scope } from '../scope.ts';
import { weightOfFile } from '../weight.ts';
import { requireFile } from './file-lookup.ts';
import { holdPlace } from './places.ts';

const INGEST_ATTEMPTS = 5;

const CANCELLED = {
  code: 'cancelled',
  message: 'The ingestion was cancelled. The bytes are kept: retry the file to ingest it after all.',
  retryable: true,
};

// Seconds that a document stands back for each megabyte of it, at most so many: a note is not kept waiting by a manual,
// and a manual is not kept waiting for ever.
const STAND_BACK_PER_MB = 2;
const MOST_STAND_BACK = 10;

/**
 * Adds the job of a run. One that waits or works for an earlier run is taken back: its work would be thrown away.
 *
 * @param runAt when it is to begin; null: at once
 */
export async function enqueueIngest(
  tx: Queryable,
  scope: Scope,
  run: QueuedRun,
  runAt: Date | null,
): Promise<void> {
  await removeJobs(tx, scope, 'ingest_file', run.fileId);
  await enqueueJob(tx, scope, {
    kind: 'ingest_file',
    subject: run.fileId,
    payload: { version: run.version, run: run.run, filename: run.name },
    maxAttempts: INGEST_ATTEMPTS,
    weight: weightOfFile(run.name, run.bytes),
    standsBack: Math.min(MOST_STAND_BACK, Math.round((run.bytes / 2 ** 20) * STAND_BACK_PER_MB)),
    ...(runAt && { runAt }),
  });
}

export interface FileRunDeps {
  db: Database;
  /** Told that jobs were committed. */
  onJob: () => void;
  /** Told that jobs were removed, those that run included. */
  onJobsRemoved: () => void;
}

/** The use cases of a file's ingestion: again, and not any more. */
export function createFileRuns({ db, onJob, onJobsRemoved }: FileRunDeps) {
  async function requeue(scope: Scope, filter: FailedFilter): Promise<QueuedRun[]> {
    const runs = await db.transaction(async (tx) => {
      await holdPlace(tx, scope);
      const queued = await requeueFailed(tx, scope, filter);
      for (const run of queued) await enqueueIngest(tx, scope, run, null);
      return queued;
    });
    if (runs.length > 0) onJob();
    return runs;
  }

  return {
    /**
     * Ingests a failed file again.
     *
     * @throws AppError `file_not_retryable` when it has not failed
     */
    async retry(scope: Scope, name: string): Promise<File> {
      const { file, fileId } = await requireFile(db, scope, name);
      const runs = await requeue(scope, { fileId });
      if (runs.length > 0) return (await requireFile(db, scope, name)).file;
      throw new AppError('file_not_retryable', {
        detail: `"${name}" is ${file.status}; only a failed file can be retried.`,
      });
    },

    /**
     * Ingests every failed file again that the filter lets through.
     *
     * @returns their names
     */
    async retryFailed(scope: Scope, filter: Pick<FailedFilter, 'code' | 'retryable'>): Promise<string[]> {
      const runs = await requeue(scope, filter);
      return runs.map((run) => run.name).sort();
    },

    /**
     * Ends the ingestion of a file: it is failed as `cancelled`, with its bytes kept, and can be retried. Whatever the
     * work under way still brings is thrown away; what was searchable before stays, the words of a version whose vectors are
     * still coming included. A version that has its vectors already only goes without its summary.
     *
     * @throws AppError `file_not_cancellable` when nothing is under way
     */
    async cancel(scope: Scope, name: string): Promise<File> {
      const { file, fileId } = await requireFile(db, scope, name);
      await db.transaction(async (tx) => {
        await holdProject(tx, scope);
        if (!(await cancelRun(tx, scope, fileId, CANCELLED))) {
          throw new AppError('file_not_cancellable', {
            detail: `"${name}" is ${file.status}; only a queued file or one in progress can be cancelled.`,
          });
        }
        await removeJobs(tx, scope, 'ingest_file', fileId);
        await refreshFileSummaries(tx, scope);
      });
      onJobsRemoved();
      return (await requireFile(db, scope, name)).file;
    },
  };
}
