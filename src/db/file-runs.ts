import type { FileFailure, FileStage } from '../contract/file.ts';
import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';

/**
 * One attempt of one ingestion of a version. Every statement about it proves that it is still the one that counts: a newer
 * upload, a cancel, a retry and a later attempt each end it, and what it brings after that is refused.
 */
export interface IngestRun {
  fileId: string;
  version: number;
  run: number;
  attempt: number;
}

/** The row of a run that still counts, by the first six parameters. */
export const OF_RUN = `workspace_id = $1 and project_id = $2 and file_id = $3 and version = $4 and run = $5 and attempt <= $6`;

/** What `OF_RUN` takes. */
export const keyOf = (scope: Scope, run: IngestRun) => [
  scope.workspaceId,
  scope.projectId,
  run.fileId,
  run.version,
  run.run,
  run.attempt,
];

/** The version is searchable, by its vectors too: it may lack its summary. */
const IS_WHOLE = 'searchable_version = version and vectors_pending = 0';

/** How a version ends that is not finished: one that is searchable already, with its vectors, lacks its summary only. */
const END_UNFINISHED = `status = case when ${IS_WHOLE} then 'completed' else 'failed' end, stage = null,
  retry_at = null, rate_limited = false, updated_at = now(),
  summary_status = case when searchable_version = version and summary_version = version then summary_status
    when searchable_version is null or searchable_version = version then 'failed' else summary_status end`;
const failureOr = (parameter: string) =>
  `last_error = case when ${IS_WHOLE} then null else ${parameter}::jsonb end`;

/** What an attempt begins with. */
export interface StartedRun {
  /** The version is, by its words at least. */
  isSearchable: boolean;
  /** Nothing of the file is searchable yet. */
  isFirst: boolean;
  /** And sections of it are there all the same. */
  hasLeftovers: boolean;
  /** Leaves of the searchable version, this one or the one before, that have no vector. */
  vectorsPending: number;
}

/**
 * Begins an attempt; null when the run has ended, or another one has taken its place. An attempt that was broken off after
 * the version had become searchable goes on from there.
 */
export async function startRun(db: Queryable, scope: Scope, run: IngestRun): Promise<StartedRun | null> {
  const { rows } = await db.query<StartedRun>(
    `update files set status = 'in_progress', attempt = $6, last_error = null, retry_at = null, rate_limited = false,
       updated_at = now(), edited_since = null, rebuilt_at = now(),
       stage = case when searchable_version is distinct from version then 'converting' when vectors_pending > 0 then 'embedding'
         else 'summarizing' end
     where ${OF_RUN} and status in ('queued', 'in_progress')
     returning searchable_version is not distinct from version as "isSearchable", searchable_version is null as "isFirst",
       vectors_pending as "vectorsPending",
       searchable_version is null and exists (
         select from document_parents p where p.file_id = $3 and p.project_id = $2 and p.workspace_id = $1) as "hasLeftovers"`,
    keyOf(scope, run),
  );
  return rows[0] ?? null;
}

/** What changes while a run goes on; only what is given is set. */
export interface RunProgress {
  status?: 'completed';
  stage?: FileStage | null;
  chunksDone?: number;
  chunksTotal?: number;
}

/** Records progress, which ends any wait; false when the run is no longer the one that counts. */
export async function recordProgress(
  db: Queryable,
  scope: Scope,
  run: IngestRun,
  progress: RunProgress,
): Promise<boolean> {
  const columns: Record<string, unknown> = {
    status: progress.status,
    stage: progress.stage,
    chunks_done: progress.chunksDone,
    chunks_total: progress.chunksTotal,
  };
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  const assignments = given.map(([column], index) => `${column} = $${index + 7}`);
  const { rowCount } = await db.query(
    `update files set ${[...assignments, 'retry_at = null, rate_limited = false, updated_at = now()'].join(', ')}
     where ${OF_RUN}`,
    [...keyOf(scope, run), ...given.map(([, value]) => value)],
  );
  return rowCount > 0;
}

/** Shows that a run waits, for how long, and why where the attempt has failed. */
export async function recordWait(
  db: Queryable,
  scope: Scope,
  run: IngestRun,
  wait: { seconds: number; rateLimited: boolean; failure?: FileFailure },
): Promise<void> {
  await db.query(
    `update files set retry_at = now() + make_interval(secs => $7), rate_limited = $8,
       last_error = coalesce($9::jsonb, last_error), updated_at = now()
     where ${OF_RUN} and status = 'in_progress'`,
    [
      ...keyOf(scope, run),
      wait.seconds,
      wait.rateLimited,
      wait.failure === undefined ? null : JSON.stringify(wait.failure),
    ],
  );
}

/** Ends a run without success; what an older version left searchable stays, its summary with it. */
export async function markFailed(
  db: Queryable,
  scope: Scope,
  run: IngestRun,
  failure: FileFailure,
): Promise<void> {
  await db.query(`update files set ${END_UNFINISHED}, ${failureOr('$7')} where ${OF_RUN}`, [
    ...keyOf(scope, run),
    JSON.stringify(failure),
  ]);
}

/** Ends the run that waits or goes on, so that nothing it still brings is taken; false when there is none. */
export async function cancelRun(
  tx: Queryable,
  scope: Scope,
  fileId: string,
  failure: FileFailure,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update files set ${END_UNFINISHED}, ${failureOr('$4')}, run = run + 1
     where workspace_id = $1 and project_id = $2 and file_id = $3 and status in ('queued', 'in_progress')`,
    [scope.workspaceId, scope.projectId, fileId, JSON.stringify(failure)],
  );
  return rowCount > 0;
}

/** A run that is to be done. */
export interface QueuedRun {
  fileId: string;
  version: number;
  run: number;
  name: string;
  /** Length of the version. */
  bytes: number;
}

/** Which failed files are meant; all of the project where nothing is given. */
export interface FailedFilter {
  fileId?: string;
  /** `code` of the failure. */
  code?: string;
  retryable?: boolean;
}

/** Puts failed versions back in the queue, each as a run of its own; gives those that there were. */
export async function requeueFailed(tx: Queryable, scope: Scope, filter: FailedFilter): Promise<QueuedRun[]> {
  const { rows } = await tx.query<{
    file_id: string;
    version: number;
    run: number;
    name: string;
    byte_length: number;
  }>(
    `update files set status = 'queued', stage = null, last_error = null, attempt = 0, run = run + 1, retry_at = null,
       rate_limited = false, updated_at = now(),
       chunks_done = case when searchable_version = version then chunk_count - vectors_pending else 0 end,
       chunks_total = case when searchable_version = version then chunk_count else 0 end,
       summary_status = case when searchable_version is null
         or searchable_version = version and summary_version is distinct from version then 'pending' else summary_status end
     where workspace_id = $1 and project_id = $2 and status = 'failed' and ($3::text is null or file_id = $3)
       and ($4::text is null or last_error->>'code' = $4)
       and ($5::boolean is null or (last_error->>'retryable')::boolean = $5)
     returning file_id, version, run, name, (select byte_length from file_versions v
       where v.workspace_id = $1 and v.project_id = $2 and v.file_id = files.file_id and v.version = files.version)`,
    [
      scope.workspaceId,
      scope.projectId,
      filter.fileId ?? null,
      filter.code ?? null,
      filter.retryable ?? null,
    ],
  );
  return rows.map(({ file_id, byte_length, ...run }) => ({ ...run, fileId: file_id, bytes: byte_length }));
}

/** How edits of one file are taken together, in milliseconds. */
export interface EditPace {
  /** A rebuild begins when no further edit came for so many milliseconds. */
  debounceMs: number;
  /** At most one rebuild begins in so many milliseconds; when they are over, it does not wait for edits to end. */
  intervalMs: number;
}

/** Notes an edit of a file; gives when its rebuild is to begin, and how long that is from now. */
export async function scheduleRebuild(
  tx: Queryable,
  scope: Scope,
  fileId: string,
  { debounceMs, intervalMs }: EditPace,
): Promise<{ runAt: Date; waitMs: number }> {
  const { rows } = await tx.query<{ run_at: Date; wait_ms: number }>(
    `with edited as (
       update files set edited_since = coalesce(edited_since, moment.at) from (select now() as at) moment
       where workspace_id = $1 and project_id = $2 and file_id = $3
       returning edited_since, rebuilt_at
     ), planned as (
       -- greatest() takes no notice of a null: a file that was never rebuilt
       select greatest(least(now() + $4 * interval '1 millisecond', edited_since + $5 * interval '1 millisecond'),
         rebuilt_at + $5 * interval '1 millisecond') as run_at from edited
     )
     select run_at, greatest(0, extract(epoch from run_at - now()) * 1000)::float8 as wait_ms from planned`,
    [scope.workspaceId, scope.projectId, fileId, debounceMs, intervalMs],
  );
  const row = rows[0];
  if (!row) throw new Error('the file that was edited is gone');
  return { runAt: row.run_at, waitMs: row.wait_ms };
}

/** Keeps the summary of a version; false when the file is gone or a newer upload has taken its place. */
export async function saveSummary(
  tx: Queryable,
  scope: Scope,
  fileId: string,
  version: number,
  summary: string,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update files set summary = $5, summary_version = $4, summary_status = 'completed', updated_at = now()
     where workspace_id = $1 and project_id = $2 and file_id = $3 and version = $4`,
    [scope.workspaceId, scope.projectId, fileId, version, summary],
  );
  return rowCount > 0;
}

/** Whether a searchable version is the newest one and has no summary yet. */
export async function lacksSummary(
  db: Queryable,
  scope: Scope,
  fileId: string,
  version: number,
): Promise<boolean> {
  const { rows } = await db.query(
    `select 1 from files where workspace_id = $1 and project_id = $2 and file_id = $3 and version = $4
       and searchable_version = $4 and summary_version is distinct from $4`,
    [scope.workspaceId, scope.projectId, fileId, version],
  );
  return rows.length > 0;
}

/** Says that a version gets no summary. */
export async function markSummaryFailed(
  db: Queryable,
  scope: Scope,
  fileId: string,
  version: number,
): Promise<void> {
  await db.query(
    `update files set summary_status = 'failed', updated_at = now()
     where workspace_id = $1 and project_id = $2 and file_id = $3 and version = $4`,
    [scope.workspaceId, scope.projectId, fileId, version],
  );
}
