import { randomUUID } from 'node:crypto';
import { forSystem } from '../db/bound-database.ts';
import { claimJob } from '../db/claim-job.ts';
import type { Job } from '../db/jobs.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { isHeavy, WEIGHT } from '../weight.ts';
import { type JobTerms, type RunningJob, runJob } from './run-job.ts';

export interface JobWorkerOptions extends JobTerms {
  /**
   * Jobs that are worked on at the same time. Heavy ones leave a place free: where there is one place only, a light job is
   * worked on beside a heavy one.
   */
  concurrency: number;
  /** Most jobs of one project that are under way, in all processes. Default: any number. */
  projectConcurrency?: number;
  pollMs: number;
  /** Told when jobs have come, gone or ended in this process. */
  onChange?: () => void;
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
  const { log, leaseSeconds, concurrency, projectConcurrency } = options;
  const db = forSystem(options.db);
  const holder = randomUUID();
  const running = new Set<RunningJob>();
  let heavy = 0;
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let started = false;
  let claiming: Promise<unknown> = Promise.resolve();

  const heavyPlaces = Math.max(1, concurrency - 1);
  // a light job has a place whatever the heavy ones do
  const places = (): number => Math.max(concurrency, heavy + 1);

  function launch(job: Job): void {
    const one = runJob(options, job, stopping.signal);
    running.add(one);
    if (isHeavy(job.weight)) heavy += 1;
    void one.done.then(() => {
      running.delete(one);
      if (isHeavy(job.weight)) heavy -= 1;
      nudge();
      options.onChange?.();
    });
  }

  const claim = oneAtATime(async () => {
    try {
      while (started && running.size < places()) {
        const heaviest = heavy < heavyPlaces ? WEIGHT.alone : WEIGHT.small;
        const claimed = claimJob(db, holder, {
          leaseSeconds,
          heaviest,
          ...(projectConcurrency !== undefined && { mostOfProject: projectConcurrency }),
        });
        claiming = claimed.catch(() => undefined);
        const job = await claimed;
        if (!job) break;
        launch(job);
      }
    } catch (error) {
      log.error({ err: error }, 'jobs could not be claimed');
    }
  });

  function nudge(inMs = 0): void {
    if (inMs > 0) setTimeout(nudge, inMs + 1).unref();
    else if (started) claim();
  }

  return {
    start() {
      started = true;
      timer = setInterval(() => nudge(), options.pollMs);
      nudge();
    },
    nudge,
    checkLeases() {
      for (const { checkLease } of running) checkLease();
      options.onChange?.();
    },
    async stop(graceMs) {
      started = false;
      clearInterval(timer);
      const grace = setTimeout(() => stopping.abort(new Error('the service is stopping')), graceMs);
      // what is just being claimed runs in a moment
      await claiming;
      await Promise.all([...running].map(({ done }) => done));
      clearTimeout(grace);
    },
  };
}
