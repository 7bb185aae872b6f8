import type { Database } from '../../db/database.ts';
import { cacheKey } from '../../db/embedding-cache.ts';
import type { IngestRun } from '../../db/file-runs.ts';
import { selectContexts } from '../../db/leaf-contexts.ts';
import { copyLeafVectors, type LeafOfVector, selectEmbeddedLeafIds } from '../../db/leaf-vectors.ts';
import { type LeafToEmbed, recordVectors } from '../../db/pending-vectors.ts';
import { addUsage } from '../../db/usage.ts';
import type { Leaf } from '../../documents/chunking/chunks.ts';
import { embeddingText } from '../../documents/chunking/embedding-text.ts';
import { embeddedHash } from '../../documents/chunking/ids.ts';
import type { EmbeddingModel, EmbeddingWait } from '../../embeddings/model.ts';
import type { Scope } from '../../scope.ts';
import { scopedSignal } from '../../scoped-signal.ts';
import type { EmbeddedTexts } from '../../telemetry/metrics/jobs.ts';
import { embedIntoCache, type IntoCacheOptions } from '../embedding-cache.ts';
import { createEmbeddingProgress } from './embedding-progress.ts';
import { holdRun } from './hold-run.ts';
import { slices } from './slices.ts';
import { Superseded } from './superseded.ts';

/** What embedding needs from outside. */
export interface EmbeddingDeps {
  db: Database;
  embeddingModel: EmbeddingModel;
  /** Told where the vectors of a version's sections came from. */
  onEmbedded?: (texts: EmbeddedTexts) => void;
}

/** Has vectors of leaves in the cache, and charges for each call: what follows may fail. */
async function embed(
  { db, embeddingModel, onEmbedded }: EmbeddingDeps,
  scope: Scope,
  leaves: readonly LeafToEmbed[],
  kept: number,
  options: IntoCacheOptions,
): Promise<void> {
  const inputs = leaves.map((leaf) => ({ hash: keyOf(scope, leaf), text: embeddingText(leaf) }));
  const charge = (tokens: number) =>
    addUsage(db, scope, { phase: 'embed_files', model: embeddingModel.id, calls: 1, input_tokens: tokens });
  const { embedded, reused } = await embedIntoCache(db, embeddingModel, inputs, {
    ...options,
    onCharged: charge,
  });
  onEmbedded?.({ model: embedded, cache: reused, kept });
}

const keyOf = (scope: Scope, leaf: LeafToEmbed): string => cacheKey(scope.workspaceId, embeddedHash(leaf));

/** The leaves as they get their vectors from the cache. */
export const ofVectors = (leaves: readonly LeafToEmbed[]): LeafOfVector[] =>
  leaves.map((leaf) => ({ id: leaf.id, hash: embeddedHash(leaf), withContext: Boolean(leaf.context) }));

/** The leaves with the contexts that the file has of them already. */
export async function inContext(
  db: Database,
  scope: Scope,
  fileId: string,
  leaves: readonly Leaf[],
): Promise<LeafToEmbed[]> {
  const contexts = await selectContexts(db, scope, fileId);
  return leaves.map((leaf) => ({ ...leaf, context: contexts.get(leaf.contentHash) ?? null }));
}

/** Has vectors in the cache for the leaves of a version that have none yet, and gives those leaves. */
export async function embedVersion(
  deps: EmbeddingDeps,
  scope: Scope,
  run: IngestRun,
  leaves: readonly Leaf[],
  signal: AbortSignal,
): Promise<readonly LeafToEmbed[]> {
  const kept = await selectEmbeddedLeafIds(deps.db, scope, run.fileId);
  const missing = leaves.filter((leaf) => !kept.has(leaf.id));
  const fresh = await inContext(deps.db, scope, run.fileId, missing);
  const progress = createEmbeddingProgress(deps.db, scope, run);
  const scoped = scopedSignal([signal, progress.ended]);
  await embed(deps, scope, fresh, leaves.length - fresh.length, {
    signal: scoped.signal,
    onProgress: (done) => progress.onProgress(leaves.length - fresh.length + done),
    onWait: progress.onWait,
  })
    .catch((error: unknown) => {
      throw progress.ended.aborted ? new Superseded() : error;
    })
    // nothing of this attempt may come after what is written next
    .finally(progress.written)
    .finally(scoped.close);
  return fresh;
}

/**
 * Has vectors of leaves in the cache, and stores them as they arrive: what is there is stored before the next batch is asked for.
 *
 * @param store stores a slice of the leaves, in a transaction of its own
 */
export async function embedAsTheyCome(
  deps: EmbeddingDeps,
  scope: Scope,
  leaves: readonly LeafToEmbed[],
  options: Pick<IntoCacheOptions, 'onWait'> & { signal: AbortSignal },
  store: (slice: readonly LeafToEmbed[]) => Promise<void>,
): Promise<void> {
  const byKey = new Map<string, LeafToEmbed[]>();
  for (const leaf of leaves) {
    const key = keyOf(scope, leaf);
    byKey.set(key, [...(byKey.get(key) ?? []), leaf]);
  }
  await embed(deps, scope, leaves, 0, {
    ...options,
    async onCached(keys) {
      for (const slice of slices(keys.flatMap((key) => byKey.get(key) ?? []))) {
        options.signal.throwIfAborted();
        await store(slice);
      }
    },
  });
}

/**
 * Gives leaves of a searchable version their vectors as these arrive, in short transactions: those of a batch are there before the
 * next one is asked for, and a run that is broken off has lost one batch at most.
 *
 * @param leaves those that have no vector
 * @param stored settles when the leaves are there; the first batch is asked for meanwhile
 * @throws Superseded, EmbeddingError
 */
export async function embedStored(
  deps: EmbeddingDeps,
  scope: Scope,
  run: IngestRun,
  leaves: readonly LeafToEmbed[],
  { signal, stored }: { signal: AbortSignal; stored: Promise<void> },
): Promise<void> {
  const { db, embeddingModel: model } = deps;
  const progress = createEmbeddingProgress(db, scope, run);
  // what is stored meanwhile is progress, which would end a pause that goes on
  const showWait = ({ seconds, rateLimited }: EmbeddingWait): void => {
    const from = performance.now();
    const show = (): void => {
      const left = seconds - (performance.now() - from) / 1_000;
      if (left > 0) progress.onWait({ seconds: left, rateLimited });
    };
    stored.then(show, () => undefined);
  };
  const store = async (slice: readonly LeafToEmbed[]): Promise<void> => {
    await stored;
    signal.throwIfAborted();
    await db.transaction(async (tx) => {
      await holdRun(tx, scope, model, () => recordVectors(tx, scope, run, { added: slice.length }));
      const added = await copyLeafVectors(tx, scope, run.fileId, model, ofVectors(slice));
      // the next attempt counts anew
      if (added < slice.length) throw new Error('vectors came or went while a version was embedded');
    });
  };
  await embedAsTheyCome(deps, scope, leaves, { signal, onWait: showWait }, store).finally(progress.written);
}
