import { randomUUID } from 'node:crypto';
import type { ResearchRun } from '../../contract/research.ts';
import { forSystem } from '../../db/bound-database.ts';
import { patientDatabase } from '../../db/patience.ts';
import { endRunOfOthers, prolongLeases, type RunLease } from '../../db/research-runs.ts';
import { AppError } from '../../errors.ts';
import { researchPrompt } from '../../research/prompt.ts';
import type { Scope } from '../../scope.ts';
import { withSpan } from '../../telemetry/tracing/span.ts';
import { storableJson } from '../../text/storable.ts';
import { keyOf } from '../followed/kind.ts';
import { createLauncher } from '../followed/launcher.ts';
import type { OwnerKey } from '../followed/owner-key.ts';
import { requireProject } from '../projects.ts';
import {
  type Beginning,
  type BegunRun,
  beginRetry,
  beginRun,
  type KeyedRun,
  type RunRequest,
  requireRun,
} from './begin.ts';
import type { LiveRunEvent, ResearchDeps } from './deps.ts';
import { createRunJournal } from './journal.ts';
import { planRun, stepsOf } from './plan.ts';
import { createResearchReader, readRun } from './read.ts';
import { runResearch } from './run.ts';

/** A run that was taken on, or that the request's key stands for already: that one has no `done`. */
export interface StartedRun {
  run: ResearchRun;
  /** The run when it has ended. Rejects with an AppError, which has `run_id`, when it fails. */
  done: Promise<ResearchRun> | null;
}

/** The use cases of research. */
export function createResearchService(deps: ResearchDeps) {
  const { db, options, log } = deps;
  // a run outlives an outage as long as its lease does
  const patient = { ...deps, db: patientDatabase(db, { forMs: options.leaseSeconds * 1_000 }) };
  const lease = { holder: randomUUID(), seconds: options.leaseSeconds };
  const launcher = createLauncher<RunLease & { scope: Scope }, ResearchRun>({
    noun: 'research run',
    prolong: (leases, share) => prolongLeases(forSystem(db), leases, share),
    leaseSeconds: options.leaseSeconds,
    watchMs: options.watchMs,
    log,
  });
  const { get, list } = createResearchReader(deps);
  const { mostAtOnce } = options;
  const beginning = (scope: Scope, key: OwnerKey | null): Beginning => ({
    db,
    scope,
    lease,
    key,
    mostAtOnce,
  });

  function launch(scope: Scope, begun: BegunRun): StartedRun {
    const { runId } = begun.lease;
    const emit = (event: LiveRunEvent): void => tell(deps, scope, runId, event);
    emit({ type: 'run.created', data: begun.recorded });
    const done = launcher.launch(
      keyOf(scope, runId),
      { ...begun.lease, scope },
      {
        timeoutMs: options.timeoutMs,
        work: (control) =>
          traced(begun, () =>
            runResearch({ deps: patient, scope, begun, journal: createRunJournal(), emit, ...control }),
          ),
      },
    );
    return { run: begun.recorded, done };
  }

  /** What a repeated request gets: its run as it is, or another attempt at one that failed and may be tried again. */
  async function rejoin(scope: Scope, { known, key }: KeyedRun): Promise<StartedRun> {
    const run = await readRun(deps, scope, known);
    if (run.status !== 'failed' || run.error?.retryable === false) return { run, done: null };
    try {
      const begun = await beginRetry(beginning(scope, key), known, true);
      if (!('known' in begun)) return launch(scope, begun);
    } catch (error) {
      // somebody else was faster
      if (!(error instanceof AppError) || error.code !== 'run_not_retryable') throw error;
    }
    return { run: await readRun(deps, scope, known), done: null };
  }

  const takeUp = (scope: Scope, begun: BegunRun | KeyedRun) =>
    'known' in begun ? rejoin(scope, begun) : launch(scope, begun);

  return {
    get,
    list,

    /**
     * Takes a question on: the run is recorded when this returns, and goes on whether or not anybody waits for it.
     *
     * @throws AppError `project_not_found`, `limits_too_low`, `price_unknown`, `concurrency_limit`,
     *   `idempotency_key_reused`
     */
    start(scope: Scope, request: RunRequest, key: OwnerKey | null = null): Promise<StartedRun> {
      const asked = storableJson(request);
      if (asked.limits) assertLimitsFit(deps, asked);
      return launcher.admit(async () => takeUp(scope, await beginRun(beginning(scope, key), asked)));
    },

    /**
     * Takes up a run that failed or expired: another attempt under its id.
     *
     * @throws AppError `project_not_found`, `run_not_found`, `run_not_retryable`, `concurrency_limit`,
     *   `idempotency_key_reused`
     */
    retry(scope: Scope, runId: string, key: OwnerKey | null = null): Promise<StartedRun> {
      return launcher.admit(async () => takeUp(scope, await beginRetry(beginning(scope, key), runId)));
    },

    /**
     * Stops a run, wherever it goes on; what it had said by then is kept. One that has ended stays as it is.
     *
     * @throws AppError `project_not_found`, `run_not_found`
     */
    async cancel(scope: Scope, runId: string): Promise<ResearchRun> {
      const here = launcher.find(keyOf(scope, runId));
      if (here) {
        here.stop('cancelled');
        await here.done.catch(() => undefined);
      } else {
        await requireProject(db, scope);
        await requireRun(db, scope, runId);
        // its worker finds out when it looks next
        await endRunOfOthers(db, scope, runId, { status: 'cancelled', error: null, abandonedOnly: false });
      }
      return (await requireRun(db, scope, runId)).run;
    },

    /** Begins none any more, lets those that go on end by themselves for `graceMs`, then interrupts them. */
    stop: launcher.stop,
  };
}

export type ResearchService = ReturnType<typeof createResearchService>;

/** Refuses limits that not even the least run fits, before anything is recorded or spent. */
function assertLimitsFit(deps: ResearchDeps, { question, files, limits }: RunRequest): void {
  const asked = { question, files, projectName: '', stateLines: [], maxSteps: stepsOf(deps, limits) };
  planRun(deps, researchPrompt(asked), [], limits);
}

/** Runs it in a span: a part of its request, which may have been answered long before the run ends. */
function traced({ lease }: BegunRun, run: () => Promise<ResearchRun>): Promise<ResearchRun> {
  const attributes = { 'forge.run.id': lease.runId, 'forge.run.attempt': lease.attempt };
  return withSpan('research', { attributes }, async (span) => {
    const ended = await run();
    span.set({ 'forge.run.status': ended.status });
    return ended;
  });
}

function tell({ onEvent, log }: ResearchDeps, scope: Scope, runId: string, event: LiveRunEvent): void {
  try {
    onEvent?.(scope, runId, event);
  } catch (err) {
    // whoever listens cannot stop the run
    log.warn({ err, run: runId }, 'a listener of a research run failed');
  }
}
