import type { Scope } from '../scope.ts';
import { currentTraceparent } from '../telemetry/tracing/traceparent.ts';
import { jsonParam } from '../text/storable.ts';
import { WEIGHT, type Weight } from '../weight.ts';
import type { Database, Queryable } from './database.ts';

/*
 * A durable queue in a table. A job waits until `run_at`, is claimed with a lease (`locked_by`, `locked_until`), and is
 * then completed (its row goes), failed (it waits again, longer each time) or given up. A heartbeat extends the lease;
 * a lease that ran out makes the job claimable again, which is how the work of a killed process goes on. Attempts are
 * counted at the claim, so that a job that kills its process ends too. Only the holder of the lease may complete, fail
 * or extend. Polling is the truth; nothing depends on notifications.
 */

/** What there is to do; each kind has one handler. */
export const JOB_KINDS = [
  'ingest_file',
  'summarise_file',
  'summarise_turn',
  'build_outline',
  'index_words',
  'merge_postings',
  'write_contexts',
] as const;
export type JobKind = (typeof JOB_KINDS)[number];

export interface NewJob {
  kind: JobKind;
  /** What the job is about: a file id, a turn number. */
  subject: string;
  payload: Record<string, unknown>;
  maxAttempts: number;
  /** When it may be claimed; left out: at once. */
  runAt?: Date;
  /** Seconds that it stands back for other jobs of its weight that are due at the same time. */
  standsBack?: number;
  /** Left out: small. */
  weight?: Weight;
}

export interface Job extends Scope {
  jobId: string;
  kind: JobKind;
  subject: string;
  payload: Record<string, unknown>;
  attempts: number;
  maxAttempts: number;
  weight: Weight;
  /** Who holds the lease: each later statement about the job proves it. */
  lockedBy: string;
}

/** Adds a job, in the caller's transaction with the rows that it is about. */
export async function enqueueJob(tx: Queryable, scope: Scope, job: NewJob): Promise<void> {
  await tx.query(
    `insert into jobs (workspace_id, project_id, kind, subject, payload, max_attempts, run_at, stands_back, weight)
     values ($1, $2, $3, $4, $5, $6, coalesce($7, now()), $8, $9)`,
    columnsOf(scope, job),
  );
}

/** Adds a job unless there is one of its kind about its subject. Two that are added at the same moment may both be. */
export async function enqueueOnce(db: Queryable, scope: Scope, job: NewJob): Promise<void> {
  await db.query(
    `insert into jobs (workspace_id, project_id, kind, subject, payload, max_attempts, run_at, stands_back, weight)
     select $1, $2, $3, $4, $5::jsonb, $6::int, coalesce($7, now()), $8::int, $9::smallint
     where exists (select 1 from projects where workspace_id = $1 and project_id = $2)
       and not exists (
         select 1 from jobs where workspace_id = $1 and project_id = $2 and kind = $3 and subject = $4)`,
    columnsOf(scope, job),
  );
}

/** A job goes on with the trace of what has added it. */
function traced(): { traceparent?: string } {
  const traceparent = currentTraceparent();
  return traceparent === undefined ? {} : { traceparent };
}

const columnsOf = (scope: Scope, job: NewJob) => [
  scope.workspaceId,
  scope.projectId,
  job.kind,
  job.subject,
  jsonParam({ ...job.payload, ...traced() }),
  job.maxAttempts,
  job.runAt ?? null,
  job.standsBack ?? 0,
  job.weight ?? WEIGHT.small,
];

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
  failure: { message: string; delaySeconds: number; isCounted: boolean; weight?: Weight },
): Promise<void> {
  await db.query(
    `update jobs set locked_by = null, locked_until = null, last_error = $6,
       run_at = now() + make_interval(secs => $7), attempts = attempts - $8,
       weight = greatest(weight, $9::smallint) where ${HELD}`,
    [
      ...heldBy(job),
      failure.message,
      failure.delaySeconds,
      failure.isCounted ? 0 : 1,
      failure.weight ?? WEIGHT.note,
    ],
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
  /** How long the job that is due longest has waited, in seconds; 0 when none is due. */
  oldest_waiting_seconds: number;
  /** What was said of the newest failure. */
  last_error: string | null;
}

/** The queue of all projects by kind of job. */
export async function readQueueFigures(db: Queryable): Promise<QueueFigures[]> {
  const { rows } = await db.query<QueueFigures>(
    `select kind, count(*) filter (where not held)::int as waiting, count(*) filter (where held)::int as running,
       count(*) filter (where not held and last_error is not null)::int as failing,
       coalesce(max(extract(epoch from now() - run_at)) filter (where not held and run_at <= now()), 0)::float8
         as oldest_waiting_seconds,
       (array_agg(last_error order by run_at desc) filter (where last_error is not null))[1] as last_error
     from (select kind, last_error, run_at, coalesce(locked_until > now(), false) as held from jobs) as queue
     group by kind order by kind`,
  );
  return rows;
}
