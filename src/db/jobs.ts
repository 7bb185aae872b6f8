import type { Scope } from '../scope.ts';
import { jsonParam } from '../text/storable.ts';
import type { Database, Queryable } from './database.ts';

/*
 * A durable queue in a table. A job waits until `run_at`, is claimed with a lease (`locked_by`, `locked_until`), and is
 * then completed (its row goes), failed (it waits again, longer each time) or given up. A heartbeat extends the lease;
 * a lease that ran out makes the job claimable again, which is how the work of a killed process goes on. Attempts are
 * counted at the claim, so that a job that kills its process ends too. Only the holder of the lease may complete, fail
 * or extend. Polling is the truth; nothing depends on notifications.
 */

/** What there is to do; each kind has one handler. */
export type JobKind = 'ingest_file' | 'summarise_file' | 'summarise_turn' | 'build_outline' | 'index_words';

export interface NewJob {
  kind: JobKind;
  /** What the job is about: a file id, a turn number. */
  subject: string;
  payload: Record<string, unknown>;
  maxAttempts: number;
  /** When it may be claimed; left out: at once. */
  runAt?: Date;
  /** Seconds that it stands back for smaller jobs that are due at the same time. */
  standsBack?: number;
}

export interface Job extends Scope {
  jobId: string;
  kind: JobKind;
  subject: string;
  payload: Record<string, unknown>;
  attempts: number;
  maxAttempts: number;
  /** Who holds the lease: each later statement about the job proves it. */
  lockedBy: string;
}

/** Adds a job, in the caller's transaction with the rows that it is about. */
export async function enqueueJob(tx: Queryable, scope: Scope, job: NewJob): Promise<void> {
  await tx.query(
    `insert into jobs (workspace_id, project_id, kind, subject, payload, max_attempts, run_at, stands_back)
     values ($1, $2, $3, $4, $5, $6, coalesce($7, now()), $8)`,
    columnsOf(scope, job),
  );
}

/** Adds a job unless there is one of its kind about its subject. Two that are added at the same moment may both be. */
export async function enqueueOnce(db: Queryable, scope: Scope, job: NewJob): Promise<void> {
  await db.query(
    `insert into jobs (workspace_id, project_id, kind, subject, payload, max_attempts, run_at, stands_back)
     select $1, $2, $3, $4, $5::jsonb, $6::int, coalesce($7, now()), $8::int
     where exists (select 1 from projects where workspace_id = $1 and project_id = $2)
       and not exists (
         select 1 from jobs where workspace_id = $1 and project_id = $2 and kind = $3 and subject = $4)`,
    columnsOf(scope, job),
  );
}

const columnsOf = (scope: Scope, job: NewJob) => [
  scope.workspaceId,
  scope.projectId,
  job.kind,
  job.subject,
  jsonParam(job.payload),
  job.maxAttempts,
  job.runAt ?? null,
  job.standsBack ?? 0,
];

/**
 * Takes the job that has waited longest, less the time that it stands back; whosever lease on it has run out included.
 * Null when none is due.
 */
export async function claimJob(db: Database, holder: string, leaseSeconds: number): Promise<Job | null> {
  const { rows } = await db.query<{
    workspace_id: string;
    project_id: string;
    job_id: string;
    kind: JobKind;
    subject: string;
    payload: Record<string, unknown>;
    attempts: number;
    max_attempts: number;
  }>(
    `update jobs set attempts = attempts + 1, locked_by = $1, locked_until = now() + make_interval(secs => $2)
     where (workspace_id, project_id, job_id) = (
       select workspace_id, project_id, job_id from jobs
       where run_at <= now() and (locked_until is null or locked_until < now())
       order by run_at + stands_back * interval '1 second' limit 1 for update skip locked)
     returning workspace_id, project_id, job_id, kind, subject, payload, attempts, max_attempts`,
    [holder, leaseSeconds],
  );
  const row = rows[0];
  if (!row) return null;
  return {
    workspaceId: row.workspace_id,
    projectId: row.project_id,
    jobId: row.job_id,
    kind: row.kind,
    subject: row.subject,
    payload: row.payload,
    attempts: row.attempts,
    maxAttempts: row.max_attempts,
    lockedBy: holder,
  };
}

// the attempt is part of it: a worker that was held up past its lease may have claimed the same job once more
const HELD = 'workspace_id = $1 and project_id = $2 and job_id = $3 and locked_by = $4 and attempts = $5';
const heldBy = (job: Job) => [job.workspaceId, job.projectId, job.jobId, job.lockedBy, job.attempts];

/** Prolongs the lease; false when it is no longer ours (it ran out and was taken, or the job was removed). */
export async function extendJob(db: Database, job: Job, leaseSeconds: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update jobs set locked_until = now() + make_interval(secs => $6) where ${HELD}`,
    [...heldBy(job), leaseSeconds],
  );
  return rowCount > 0;
}

/** The job is done (or given up): its row goes. */
export async function completeJob(db: Queryable, job: Job): Promise<boolean> {
  const { rowCount } = await db.query(`delete from jobs where ${HELD}`, heldBy(job));
  return rowCount > 0;
}

/** The attempt failed, or was put off and is not counted: the job waits `delaySeconds` and is claimable again. */
export async function failJob(
  db: Database,
  job: Job,
  failure: { message: string; delaySeconds: number; isCounted: boolean },
): Promise<void> {
  await db.query(
    `update jobs set locked_by = null, locked_until = null, last_error = $6,
       run_at = now() + make_interval(secs => $7), attempts = attempts - $8 where ${HELD}`,
    [...heldBy(job), failure.message, failure.delaySeconds, failure.isCounted ? 0 : 1],
  );
}

/** Gives an unfinished job back at once, its attempt not counted: the process is stopping, the job did nothing wrong. */
export async function releaseJob(db: Database, job: Job): Promise<void> {
  await db.query(
    `update jobs set locked_by = null, locked_until = null, attempts = attempts - 1 where ${HELD}`,
    heldBy(job),
  );
}

/** Removes the jobs about one subject, running ones included (their holder finds its lease gone). */
export async function removeJobs(tx: Queryable, scope: Scope, kind: JobKind, subject: string): Promise<void> {
  await tx.query(
    'delete from jobs where workspace_id = $1 and project_id = $2 and kind = $3 and subject = $4',
    [scope.workspaceId, scope.projectId, kind, subject],
  );
}

/** How the queue stands. */
export interface QueueFigures {
  kind: string;
  /** Due, or due later. */
  waiting: number;
  running: number;
  /** Of those that wait, after an attempt that failed. */
  failing: number;
  /** What was said of the newest failure. */
  last_error: string | null;
}

/** The queue of all projects by kind of job. */
export async function readQueueFigures(db: Queryable): Promise<QueueFigures[]> {
  const { rows } = await db.query<QueueFigures>(
    `select kind, count(*) filter (where not held)::int as waiting, count(*) filter (where held)::int as running,
       count(*) filter (where not held and last_error is not null)::int as failing,
       (array_agg(last_error order by run_at desc) filter (where last_error is not null))[1] as last_error
     from (select kind, last_error, run_at, coalesce(locked_until > now(), false) as held from jobs) as queue
     group by kind order by kind`,
  );
  return rows;
}
