import { randomUUID } from 'node:crypto';
import type { ResearchOptions, ResearchRun } from '../../contract/research.ts';
import type { Usage } from '../../contract/usage.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { bindKeyToRun } from '../../db/idempotency.ts';
import { holdProject } from '../../db/projects.ts';
import { findRun, insertRun, type RunLease, restartRun, type StoredRun } from '../../db/research-runs.ts';
import { AppError, projectNotFound, runNotFound } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { claimOwnerKey, type OwnerKey } from '../followed/owner-key.ts';
import { assertRoom } from '../limits/concurrency.ts';

/** What is asked. */
export interface RunRequest extends ResearchOptions {
  question: string;
}

/** A run that is recorded as in progress, and ours. */
export interface BegunRun {
  lease: RunLease;
  options: ResearchOptions;
  /** As it is shown by then. */
  recorded: ResearchRun;
  /** What earlier attempts at it have used. */
  spentBefore: Usage | null;
}

/** The run that a key stands for already: nothing was begun. */
export interface KeyedRun {
  known: string;
  key: OwnerKey;
}

/** Where a run begins, and on whose behalf. */
export interface Beginning {
  db: Database;
  scope: Scope;
  lease: Pick<RunLease, 'holder' | 'seconds'>;
  key: OwnerKey | null;
  /** Runs of the workspace that may go on at a time; 0: any number. */
  mostAtOnce: number;
}

/**
 * Records a run, at once or not at all, before any model is called.
 *
 * @throws AppError `project_not_found`, `concurrency_limit`, `idempotency_key_reused`
 */
export function beginRun(by: Beginning, { question, ...options }: RunRequest): Promise<BegunRun | KeyedRun> {
  return by.db.transaction(async (tx) => {
    await hold(tx, by.scope);
    const known = await claimKey(tx, by.key);
    if (known) return known;
    await assertRoom(tx, by.scope.workspaceId, 'research_runs', by.mostAtOnce);
    const lease = { ...by.lease, runId: `run_${randomUUID()}`, attempt: 1 };
    const { run } = await insertRun(tx, by.scope, { question, options }, lease);
    if (by.key) await bindKeyToRun(tx, by.key, by.scope, lease);
    return { lease, options, recorded: run, spentBefore: null };
  });
}

/**
 * Takes up a run that failed or was abandoned: the same question, another attempt.
 *
 * @param isKnown the key of the request stands for this run already
 * @throws AppError `project_not_found`, `run_not_found`, `run_not_retryable`, `concurrency_limit`, `idempotency_key_reused`
 */
export function beginRetry(by: Beginning, runId: string, isKnown = false): Promise<BegunRun | KeyedRun> {
  return by.db.transaction(async (tx) => {
    await hold(tx, by.scope);
    const before = await requireRun(tx, by.scope, runId, { lock: true });
    const known = isKnown ? null : await claimKey(tx, by.key);
    if (known) return known;
    const { run, options, abandoned } = before;
    if (run.status !== 'failed' && !abandoned) {
      throw new AppError('run_not_retryable', {
        detail: `The run is ${run.status}: only a failed or expired one can be retried.`,
      });
    }
    await assertRoom(tx, by.scope.workspaceId, 'research_runs', by.mostAtOnce);
    const lease = { ...by.lease, runId, attempt: run.attempt + 1 };
    const { run: recorded } = await restartRun(tx, by.scope, lease);
    if (by.key) await bindKeyToRun(tx, by.key, by.scope, lease);
    return { lease, options, recorded, spentBefore: run.usage };
  });
}

/** @throws AppError `run_not_found` */
export async function requireRun(
  db: Queryable,
  scope: Scope,
  runId: string,
  options: { lock?: boolean } = {},
): Promise<StoredRun> {
  const run = await findRun(db, scope, runId, options);
  if (run) return run;
  throw runNotFound(scope.projectId, runId);
}

async function hold(tx: Queryable, scope: Scope): Promise<void> {
  if (!(await holdProject(tx, scope))) throw projectNotFound(scope.projectId);
}

async function claimKey(tx: Queryable, key: OwnerKey | null): Promise<KeyedRun | null> {
  const known = await claimOwnerKey(tx, key, ({ runId }) => runId);
  return key === null || known === null ? null : { known, key };
}
