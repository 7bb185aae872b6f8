import { type ContextPlan, planContexts } from '../../copilot/contexts/plan.ts';
import type { Queryable } from '../../db/database.ts';
import type { Job } from '../../db/jobs.ts';
import {
  type ContextFile,
  findContextFile,
  forgetStrayContexts,
  selectContextLeaves,
  settleContexts,
} from '../../db/leaf-contexts.ts';
import { replaceLeafVectors } from '../../db/leaf-vectors.ts';
import { selectLeavesToEmbedAnew } from '../../db/pending-vectors.ts';
import { holdProject } from '../../db/projects.ts';
import { findSearchableVersion, holdSearchableVersion } from '../../db/stale-postings.ts';
import { makesVectors } from '../../embeddings/off.ts';
import type { JobHandler } from '../../jobs/run-job.ts';
import type { Scope } from '../../scope.ts';
import { WEIGHT } from '../../weight.ts';
import { holdEmbeddingModel } from '../embedding-settings.ts';
import { type EmbeddingDeps, embedAsTheyCome, ofVectors } from '../ingestion/embed-leaves.ts';
import { indexFileAgain } from '../lexical-index.ts';
import { contextFailure, isLasting } from './failure.ts';
import { FileChanged } from './file-changed.ts';
import { type ContextTerms, isWritten } from './switch.ts';
import { type ContextWriterDeps, writePart } from './write-part.ts';

export interface ContextJobDeps extends ContextWriterDeps, EmbeddingDeps {
  terms: ContextTerms;
}

/** A part is written, and others follow: the job stands back for those of others in between, and this is no failure. */
class MoreParts extends Error {
  readonly isPostponed = true;
  readonly weight = WEIGHT.small;
}

/** What is still to be written of a file. */
async function planOf({ db, terms }: ContextJobDeps, scope: Scope, file: ContextFile): Promise<ContextPlan> {
  const leaves = await selectContextLeaves(db, scope, file);
  const toPlace = leaves.map(({ state, ...leaf }) => ({ ...leaf, isWanted: state === 'pending' }));
  return planContexts(toPlace, terms.partTokens);
}

/** Gives leaves the vectors of what they are embedded as by now: with their contexts, or without. */
async function embedAnew(
  deps: ContextJobDeps,
  scope: Scope,
  fileId: string,
  signal: AbortSignal,
): Promise<void> {
  const { db, embeddingModel: model } = deps;
  if (!makesVectors(model)) return;
  const version = await findSearchableVersion(db, scope, fileId);
  if (!version) return;
  const leaves = await selectLeavesToEmbedAnew(db, scope, fileId);
  await embedAsTheyCome(deps, scope, leaves, { signal }, (slice) =>
    db.transaction(async (tx) => {
      if (!(await holdProject(tx, scope))) throw new FileChanged();
      await holdEmbeddingModel(tx, model);
      if (!(await holdSearchableVersion(tx, scope, version))) throw new FileChanged();
      await replaceLeafVectors(tx, scope, fileId, model, ofVectors(slice));
    }),
  );
}

/**
 * The job that writes the contexts that leaves of a file lack, a part of the document at a time, and then puts them into its index of
 * words and its vectors; of contexts that were taken away it does the latter. Whatever happens the file is searched meanwhile, as it
 * was. It can be repeated: what a call of the model gave is stored with the call.
 */
export function createContextHandler(deps: ContextJobDeps): JobHandler {
  const { db, terms } = deps;

  const settle = (job: Job, failure: unknown): Promise<void> =>
    db.transaction(async (tx: Queryable) => {
      if (!(await holdProject(tx, job))) return;
      const file = await findContextFile(tx, job, job.subject);
      if (!file) return;
      await forgetStrayContexts(tx, job, job.subject);
      const isOn = isWritten(terms, file.contextual);
      await settleContexts(tx, job, job.subject, { isOn, failure });
    });

  /** Those that there are count all the same. */
  const giveUp = async (job: Job, error: unknown): Promise<void> => {
    await indexFileAgain(db, job, job.subject);
    await settle(job, contextFailure(error));
  };

  async function work(job: Job, signal: AbortSignal): Promise<void> {
    const file = await findContextFile(db, job, job.subject);
    if (!file) return;
    if (isWritten(terms, file.contextual)) {
      const { parts, outline } = await planOf(deps, job, file);
      const [part, ...others] = parts;
      if (part) await writePart(deps, job, { file, part, outline }, signal);
      if (others.length > 0) throw new MoreParts();
    }
    await indexFileAgain(db, job, job.subject);
    await embedAnew(deps, job, job.subject, signal);
    await settle(job, null);
  }

  return {
    run: (job, signal) =>
      work(job, signal).catch((error: unknown) => {
        if (!isLasting(error)) throw error;
        return giveUp(job, error);
      }),
    giveUp,
  };
}
