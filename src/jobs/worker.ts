import { randomUUID } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { claimJob, completeJob, extendJob, failJob, type Job, type JobKind, releaseJob } from '../db/jobs.ts';
import { backoffSeconds } from './backoff.ts';

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

export interface JobWorkerOptions {
  db: Database;
  handlers: Record<JobKind, JobHandler>;
  concurrency: number;
  leaseSeconds: number;
  pollMs: number;
  log: JobLog;
}

export interface JobWorker {
  start(): void;
  /**
   * Looks for work now, or in so many milliseconds, instead of at the next poll: called after a job was committed in
   * this process.
   */
  nudge(inMs?: number): void;
  /** Looks at once whether the leases of the running jobs still stand: called after jobs were removed in this process. */
  checkLeases(): void;
  /** Stops claiming, gives running jobs `graceMs` to finish, then aborts them and gives their leases back. */
  stop(graceMs: number): Promise<void>;
}

/** A loop that claims jobs and runs up to `concurrency` of them side by side. */
export function createJobWorker(options: JobWorkerOptions): JobWorker {
  const { db, handlers, log } = options;
  const holder = randomUUID();
  const running = new Set<Promise<void>>();
  const beats = new Set<() => void>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let claiming = false;
  let askedAgain = false;
  let started = false;

  async function settle(job: Job, error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error);
    if (job.attempts >= job.maxAttempts) {
      log.error({ err: error, job: job.kind, subject: job.subject }, 'job given up');
      await handlers[job.kind].giveUp(job, error);
      await completeJob(db, job);
      return;
    }
    const asked = (error as { retryAfterSeconds?: number }).retryAfterSeconds ?? 0;
    const delaySeconds = Math.max(asked, backoffSeconds(job.attempts));
    log.warn(
      { err: error, job: job.kind, subject: job.subject, delaySeconds },
      'job failed, will be retried',
    );
    await handlers[job.kind].retrying?.(job, error, delaySeconds);
    await failJob(db, job, { message, delaySeconds });
  }

  async function run(job: Job): Promise<void> {
    const lost = new AbortController();
    const signal = AbortSignal.any([lost.signal, stopping.signal]);
    const beat = () => {
      extendJob(db, job, options.leaseSeconds).then(
        (held) => held || lost.abort(new Error('the lease was lost')),
        (error) => log.warn({ err: error, job: job.kind }, 'the lease could not be extended'),
      );
    };
    const heartbeat = setInterval(beat, (options.leaseSeconds * 1000) / 3);
    beats.add(beat);
    try {
      // a job whose process was killed in its last attempt arrives with more attempts than it may have
      if (job.attempts > job.maxAttempts) throw new Error('the process ended during the last attempt');
      await handlers[job.kind].run(job, signal);
      await completeJob(db, job);
    } catch (error) {
      if (lost.signal.aborted) return;
      if (stopping.signal.aborted) await releaseJob(db, job);
      else await settle(job, error);
    } finally {
      clearInterval(heartbeat);
      beats.delete(beat);
    }
  }

  async function claim(): Promise<void> {
    if (claiming) {
      askedAgain = true;
      return;
    }
    claiming = true;
    try {
      do {
        askedAgain = false;
        while (started && running.size < options.concurrency) {
          const job = await claimJob(db, holder, options.leaseSeconds);
          if (!job) break;
          const work = run(job)
            .catch((error) => log.error({ err: error, job: job.kind }, 'job could not be settled'))
            .finally(() => {
              running.delete(work);
              nudge();
            });
          running.add(work);
        }
      } while (askedAgain && started);
    } catch (error) {
      log.error({ err: error }, 'jobs could not be claimed');
    } finally {
      claiming = false;
    }
  }

  function nudge(inMs = 0): void {
    if (inMs > 0) setTimeout(nudge, inMs + 1).unref();
    else if (started) void claim();
  }

  return {
    start() {
      started = true;
      timer = setInterval(() => nudge(), options.pollMs);
      nudge();
    },
    nudge,
    checkLeases() {
      for (const beat of beats) beat();
    },
    async stop(graceMs) {
      started = false;
      clearInterval(timer);
      const grace = setTimeout(() => stopping.abort(new Error('the service is stopping')), graceMs);
      await Promise.all(running);
      clearTimeout(grace);
    },
  };
}
