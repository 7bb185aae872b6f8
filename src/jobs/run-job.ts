import { forWorkspace } from '../db/bound-database.ts';
import type { Database } from '../db/database.ts';
import { completeJob, extendJob, failJob, type Job, type JobKind, releaseJob } from '../db/jobs.ts';
import { DatabaseError } from '../errors.ts';
import { startHeartbeat } from '../heartbeat.ts';
import { scopedSignal } from '../scoped-signal.ts';
import { type RunningSpan, withSpan } from '../telemetry/tracing/span.ts';
import type { Weight } from '../weight.ts';
import { inWorkspace } from '../workspace-context.ts';
import { backoffSeconds } from './backoff.ts';
import { settleJob } from './settle-job.ts';

/** Does the work of one kind of job. */
export interface JobHandler {
  /** Must be harmless to repeat. `signal` aborts when the lease is lost or the process stops. */
  run(job: Job, signal: AbortSignal): Promise<void>;
  /** The attempt failed and another one follows after the delay: say so where users look. */
  retrying?(job: Job, error: unknown, delaySeconds: number): Promise<void>;
  /** The last attempt failed: say so where users look. */
  giveUp(job: Job, error: unknown): Promise<void>;
}

/** The part of a logger that the worker writes to. */
export interface JobLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** How an attempt at a job ended. `lost`: another has its lease. */
export type JobOutcome = 'completed' | 'retried' | 'postponed' | 'given_up' | 'released' | 'lost';

export interface JobTerms {
  db: Database;
  handlers: Record<JobKind, JobHandler>;
  leaseSeconds: number;
  log: JobLog;
  /** Told of every attempt that was settled. */
  onSettled?: (kind: JobKind, outcome: JobOutcome, seconds: number) => void;
}

/** A job that is being worked on. */
export interface RunningJob {
  /** Resolves when the job is settled, or could not be and is left to its lease. Never rejects. */
  done: Promise<void>;
  /** Looks at once whether its lease still stands. */
  checkLease(): void;
}

/** Works on a claimed job, keeps its lease meanwhile, and settles it. A job whose lease is lost is left to others. */
export function runJob(terms: JobTerms, job: Job, stopping: AbortSignal): RunningJob {
  const { db, handlers, leaseSeconds, log, onSettled } = terms;
  const from = performance.now();
  const heartbeat = startHeartbeat({
    leaseSeconds,
    extend: () => extendJob(forWorkspace(db, job.workspaceId), job, leaseSeconds),
    onError: (err) => log.warn({ err, job: job.kind }, 'the lease could not be extended'),
  });
  async function work(span: RunningSpan): Promise<JobOutcome> {
    const scoped = scopedSignal([heartbeat.signal, stopping]);
    try {
      // a job whose process was killed in its last attempt arrives with more attempts than it may have
      if (job.attempts > job.maxAttempts) throw new Error('the process ended during the last attempt');
      // claimed while the process was already stopping: a handler that waits for the signal alone would never hear it
      scoped.signal.throwIfAborted();
      await handlers[job.kind].run(job, scoped.signal);
      await settleJob(() => completeJob(db, job), stopping);
      return 'completed';
    } catch (error) {
      span.fail(error);
      if (stopping.aborted) {
        await releaseJob(db, job);
        return 'released';
      }
      // what the database's trouble broke off is given back even if the lease has run out in it: unless another has it
      const isOurs = !heartbeat.signal.aborted || error instanceof DatabaseError;
      return isOurs ? await settleJob(() => settleFailure(terms, job, error), stopping) : 'lost';
    } finally {
      scoped.close();
      heartbeat.stop();
    }
  }
  const done = inWorkspace(job.workspaceId, () => traced(job, work))
    .then((outcome) => onSettled?.(job.kind, outcome, (performance.now() - from) / 1_000))
    .catch((err: unknown) => log.error({ err, job: job.kind }, 'job could not be settled'));
  return { done, checkLease: heartbeat.beat };
}

/** Does an attempt in a span, which goes on with the trace of what has added the job. */
function traced(job: Job, work: (span: RunningSpan) => Promise<JobOutcome>): Promise<JobOutcome> {
  const { kind, subject, attempts, payload } = job;
  const attributes = {
    'forge.job.kind': kind,
    'forge.job.subject': subject,
    'forge.job.attempt': attempts,
  };
  const from = { traceparent: payload.traceparent };
  return withSpan(`job ${kind}`, { kind: 'consumer', attributes, from }, async (span) => {
    const outcome = await work(span);
    span.set({ 'forge.job.outcome': outcome });
    return outcome;
  });
}

/**
 * What a failure may say of the next attempt: when to make it, that this one was put off and is not to be counted, and what
 * the job was found to weigh.
 */
interface Deferral {
  retryAfterSeconds?: number;
  isPostponed?: boolean;
  weight?: Weight;
}

async function settleFailure({ db, handlers, log }: JobTerms, job: Job, error: unknown): Promise<JobOutcome> {
  const handler = handlers[job.kind];
  const { kind, subject } = job;
  const { retryAfterSeconds: asked = 0, isPostponed = false, weight } = error as Deferral;
  if (job.attempts >= job.maxAttempts && !isPostponed) {
    log.error({ err: error, job: kind, subject }, 'job given up');
    await handler.giveUp(job, error);
    await completeJob(db, job);
    return 'given_up';
  }
  if (isPostponed && weight !== undefined) {
    // nothing has gone wrong: it goes on as what it is
    await failJob(db, job, { message: String(error), delaySeconds: 0, isCounted: false, weight });
    return 'postponed';
  }
  const delaySeconds = Math.max(asked, backoffSeconds(job.attempts));
  log.warn({ err: error, job: kind, subject, delaySeconds }, 'job failed, will be retried');
  await handler.retrying?.(job, error, delaySeconds);
  const message = error instanceof Error ? error.message : String(error);
  await failJob(db, job, {
    message,
    delaySeconds,
    isCounted: !isPostponed,
    ...(weight !== undefined && { weight }),
  });
  return isPostponed ? 'postponed' : 'retried';
}
