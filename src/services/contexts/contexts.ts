import type { ContextEstimate, ContextsPlan } from '../../contract/contexts.ts';
import { estimateContexts, runningEstimate } from '../../copilot/contexts/estimate.ts';
import { type ContextPlan, planContexts } from '../../copilot/contexts/plan.ts';
import { CONTEXT_TOKENS } from '../../copilot/contexts/prompt.ts';
import type { Database, Queryable } from '../../db/database.ts';
import {
  type ContextFile,
  findContextFile,
  forgetContexts,
  selectContextFiles,
  selectContextLeaves,
  selectContextual,
} from '../../db/leaf-contexts.ts';
import type { Leaf } from '../../documents/chunking/chunks.ts';
import type { EmbeddingModel } from '../../embeddings/model.ts';
import { makesVectors } from '../../embeddings/off.ts';
import { costUsd } from '../../llm/pricing.ts';
import type { Scope } from '../../scope.ts';
import { requireFiles } from '../file-lookup.ts';
import { holdPlace, requirePlace } from '../places.ts';
import { enqueueContexts } from './enqueue.ts';
import { assertWritable, type ContextTerms, isWanted, isWritten } from './switch.ts';

export interface ContextServiceDeps {
  db: Database;
  terms: ContextTerms;
  embeddingModel: Pick<EmbeddingModel, 'id' | 'provider'>;
  onJob: () => void;
  onJobsRemoved: () => void;
}

/** What is to be done with some files, in figures: the leaves of a project at once may be more than there is room for. */
interface Plans {
  written: { file: ContextFile; leaves: number; calls: number }[];
  removed: ContextFile[];
  /** What writing takes. */
  estimate: ContextEstimate;
  /** Tokens of the leaves with their contexts. */
  embeddingTokens: number;
}

/** Tokens of a leaf's context header, roughly: counting each takes longer than the rest of the work. */
const HEADER_TOKENS = 20;

/** Files that are changed in one transaction: whatever else is done with them waits for it. */
const FILES_AT_ONCE = 50;

const leavesOf = ({ parts }: ContextPlan) => parts.flatMap(({ calls }) => calls.flat());

/** The files whose contexts are not as they are to be; the leaves of one at a time are read and counted. */
async function plansOf(
  { db, terms }: ContextServiceDeps,
  scope: Scope,
  names: readonly string[] | null,
): Promise<Plans> {
  await requirePlace(db, scope);
  const only = names && new Set((await requireFiles(db, scope, names)).map(({ fileId }) => fileId));
  const files = (await selectContextFiles(db, scope)).filter(({ fileId }) => only?.has(fileId) ?? true);
  const estimate = runningEstimate(terms.model);
  const written: Plans['written'] = [];
  let embeddingTokens = 0;
  for (const file of files.filter(({ contextual }) => isWanted(terms, contextual))) {
    assertWritable(terms, true);
    const plan = await missingOf(db, scope, file, terms.partTokens);
    if (plan.parts.length === 0) continue;
    const leaves = leavesOf(plan);
    written.push({
      file,
      leaves: leaves.length,
      calls: plan.parts.reduce((sum, { calls }) => sum + calls.length, 0),
    });
    estimate.add(plan);
    embeddingTokens += leaves.reduce(
      (sum, leaf) => sum + leaf.tokens + HEADER_TOKENS + CONTEXT_TOKENS / 2,
      0,
    );
  }
  const removed = files.filter(({ contextual, hasContexts }) => hasContexts && !isWanted(terms, contextual));
  return { written, removed, estimate: estimate.total(), embeddingTokens };
}

/** The calls for the leaves of a file that have no context. */
async function missingOf(
  db: Database,
  scope: Scope,
  file: ContextFile,
  partTokens: number,
): Promise<ContextPlan> {
  const leaves = await selectContextLeaves(db, scope, file);
  const toPlace = leaves.map(({ state, ...leaf }) => ({ ...leaf, isWanted: state !== 'written' }));
  return planContexts(toPlace, partTokens);
}

/** What embedding leaves once more takes, with their contexts. */
function embeddingOf(
  embeddingModel: ContextServiceDeps['embeddingModel'],
  { embeddingTokens }: Plans,
): ContextsPlan['embedding'] {
  const tokens = makesVectors(embeddingModel) ? embeddingTokens : 0;
  return {
    model: embeddingModel.id,
    tokens,
    cost_usd: costUsd(embeddingModel.id, { inputTokens: tokens }),
  };
}

/** The use cases of contexts: what a model writes on each leaf, so that it is found by what its document is about. */
export function createContextService(deps: ContextServiceDeps) {
  const { db, terms, embeddingModel, onJob, onJobsRemoved } = deps;

  /** Each file stands alone: when one slice of them fails, those before it are done, and the same call again does the rest. */
  async function begin(scope: Scope, { written, removed }: Plans): Promise<void> {
    // in one order, so that two that do this at once wait for each other and not both
    const changed = [
      ...written.map(({ file }) => ({ fileId: file.fileId, which: 'tried' as const })),
      ...removed.map(({ fileId }) => ({ fileId, which: 'all' as const })),
    ].toSorted((a, b) => (a.fileId < b.fileId ? -1 : 1));
    for (let start = 0; start < changed.length; start += FILES_AT_ONCE) {
      await db.transaction(async (tx) => {
        await holdPlace(tx, scope);
        for (const { fileId, which } of changed.slice(start, start + FILES_AT_ONCE)) {
          await forgetContexts(tx, scope, fileId, which);
          await enqueueContexts(tx, scope, fileId);
        }
      });
      onJobsRemoved();
      onJob();
    }
  }

  return {
    /** What an upload would take; null: its leaves get no contexts. An upper bound: those that have one keep it. */
    async estimateUpload(
      scope: Scope,
      { name, contextual }: { name: string; contextual: boolean | null },
      leaves: readonly Leaf[],
    ): Promise<ContextEstimate | null> {
      assertWritable(terms, contextual);
      if (!isWritten(terms, contextual ?? (await selectContextual(db, scope, name)))) return null;
      const toPlace = leaves.map((leaf) => ({ ...leaf, isWanted: true }));
      return estimateContexts(terms.model, [planContexts(toPlace, terms.partTokens)]);
    },

    /** Follows a version that has become searchable, in the transaction that says so. */
    async follow(tx: Queryable, scope: Scope, fileId: string): Promise<void> {
      const file = await findContextFile(tx, scope, fileId);
      if (!file || !(isWritten(terms, file.contextual) || file.hasContexts)) return;
      await enqueueContexts(tx, scope, fileId);
    },

    /**
     * Brings the contexts of files that are stored in line with what is set: writes those that are missing, and takes away those of files
     * that are to have none.
     *
     * @param names null: all files of the place
     * @param dryRun does nothing, and only says what would be done
     * @throws AppError `project_not_found`, `file_not_found`, `contexts_unavailable`
     */
    async apply(
      scope: Scope,
      { names, dryRun }: { names: readonly string[] | null; dryRun: boolean },
    ): Promise<ContextsPlan> {
      const plans = await plansOf(deps, scope, names);
      if (!dryRun) await begin(scope, plans);
      return {
        object: 'contexts_plan',
        dry_run: dryRun,
        written: plans.written.map(({ file, leaves, calls }) => ({ name: file.name, leaves, calls })),
        removed: plans.removed.map(({ name }) => name),
        estimate: plans.estimate,
        embedding: embeddingOf(embeddingModel, plans),
      };
    },
  };
}

export type ContextService = ReturnType<typeof createContextService>;
