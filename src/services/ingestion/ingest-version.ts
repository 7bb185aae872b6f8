import { chunkingSchema } from '../../contract/chunking.ts';
import type { FileStage } from '../../contract/file.ts';
import type { Database } from '../../db/database.ts';
import { discardUnfinished } from '../../db/documents.ts';
import { cacheKey } from '../../db/embedding-cache.ts';
import { type IngestRun, recordProgress, startRun } from '../../db/file-runs.ts';
import { readSource, saveConversion } from '../../db/file-versions.ts';
import { selectEmbeddedLeafIds } from '../../db/leaf-vectors.ts';
import { addUsage } from '../../db/usage.ts';
import type { Leaf } from '../../documents/chunking/chunks.ts';
import { embeddingText } from '../../documents/chunking/embedding-text.ts';
import type { Converter } from '../../documents/conversion/pool.ts';
import { formatOfMediaType } from '../../documents/formats/registry.ts';
import type { EmbeddingModel } from '../../embeddings/model.ts';
import { makesVectors } from '../../embeddings/off.ts';
import { AppError } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { scopedSignal } from '../../scoped-signal.ts';
import type { EmbeddedTexts } from '../../telemetry/metrics/jobs.ts';
import type { Weight } from '../../weight.ts';
import { embedIntoCache } from '../embedding-cache.ts';
import type { Originals } from '../originals/originals.ts';
import { createEmbeddingProgress } from './embedding-progress.ts';
import { lowFidelity } from './low-fidelity.ts';
import { createStageClock, type OnStage, type StageClock } from './stage-clock.ts';
import { storeVersion } from './store-version.ts';
import { Superseded } from './superseded.ts';

/** What ingestion needs from outside. */
export interface PipelineDeps {
  db: Database;
  originals: Originals;
  converter: Pick<Converter, 'convert'>;
  embeddingModel: EmbeddingModel;
  /** Told that an outline was stored with its version. */
  onOutline?: () => void;
  onStage?: OnStage;
  /** Told where the vectors of a version's sections came from. */
  onEmbedded?: (texts: EmbeddedTexts) => void;
}

/** How an attempt is made. */
export interface Attempt {
  signal: AbortSignal;
  /** What the file is taken to weigh. */
  weight: Weight;
}

/**
 * Takes a stored upload to searchable sections: convert, section, size, embed, store. The slow steps run outside any
 * transaction; one transaction at the end puts the new version in the place of the one before, and is short for a large first
 * one, too, whose sections are stored bit by bit before. Every step can be repeated: vectors are kept as they arrive, so a second
 * run after a crash embeds only what the first had not.
 *
 * @returns false when the run is no longer the one that counts
 * @throws ConversionError, EmbeddingError, WeighedError
 */
export async function ingestVersion(
  deps: PipelineDeps,
  scope: Scope,
  file: IngestRun,
  { signal, weight }: Attempt,
): Promise<boolean> {
  const clock = createStageClock(deps.onStage);
  try {
    await runStages(deps, scope, file, { signal, weight, clock });
    return true;
  } catch (error) {
    clock.breakOff(error);
    if (error instanceof Superseded) return false;
    throw error;
  }
}

async function runStages(
  deps: PipelineDeps,
  scope: Scope,
  run: IngestRun,
  { signal, weight, clock }: Attempt & { clock: StageClock },
): Promise<void> {
  const { db, originals, converter, embeddingModel: model, onOutline } = deps;
  const { fileId, version } = run;
  const enter = async (stage: FileStage, chunksTotal?: number) => {
    clock.enter(stage);
    signal.throwIfAborted();
    const progress = { stage, ...(chunksTotal !== undefined && { chunksTotal, chunksDone: 0 }) };
    if (!(await recordProgress(db, scope, run, progress))) throw new Superseded();
  };
  const started = await startRun(db, scope, run);
  if (!started) throw new Superseded();
  if (started.isSearchable) return;
  // of an attempt that did not come to its end
  if (started.hasLeftovers) await discardUnfinished(db, scope, fileId);
  const source = await readSource(db, scope, fileId, version);
  const bytes = source && (await originals.readWhole(db, scope, run, source.byteLength));
  if (!source || !bytes) throw new Superseded();
  const format = formatOfMediaType(source.mediaType);
  if (!format) throw noReader(source.mediaType);
  let entered: Promise<void> = Promise.resolve();
  clock.enter('converting');
  const prepared = await clock.run(() =>
    converter.convert(
      { name: source.name, bytes, format, chunking: chunkingSchema.parse(source.chunking) },
      {
        signal,
        weight,
        onConverted: () => {
          entered = enter('chunking');
          // looked at below, unless the conversion fails first
          entered.catch(() => undefined);
        },
      },
    ),
  );
  await entered;
  clock.end();
  const { converted } = prepared;
  const refusal = lowFidelity(converted.fidelity, source.minFidelity);
  if (refusal) {
    // its report says what was lost
    await saveConversion(db, scope, fileId, version, converted);
    throw refusal;
  }
  const { leaves } = prepared.document;

  let fresh: readonly Leaf[] = [];
  if (makesVectors(model)) {
    await enter('embedding', leaves.length);
    fresh = await clock.run(() => embedLeaves(deps, scope, run, leaves, signal));
  }

  await enter('storing');
  await storeVersion(db, scope, run, { prepared, fresh, isFirst: started.isFirst, model, signal });
  clock.end();
  onOutline?.();
}

/** Has vectors in the cache for the leaves that have none yet, and gives those leaves. */
async function embedLeaves(
  { db, embeddingModel, onEmbedded }: PipelineDeps,
  scope: Scope,
  run: IngestRun,
  leaves: readonly Leaf[],
  signal: AbortSignal,
): Promise<readonly Leaf[]> {
  const kept = await selectEmbeddedLeafIds(db, scope, run.fileId);
  const fresh = leaves.filter((leaf) => !kept.has(leaf.id));
  const progress = createEmbeddingProgress(db, scope, run);
  const inputs = fresh.map((leaf) => ({
    hash: cacheKey(scope.workspaceId, leaf.contentHash),
    text: embeddingText(leaf),
  }));
  const scoped = scopedSignal([signal, progress.ended]);
  const { calls, tokens, embedded, reused } = await embedIntoCache(db, embeddingModel, inputs, {
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
  onEmbedded?.({ model: embedded, cache: reused, kept: leaves.length - fresh.length });
  const { id: model } = embeddingModel;
  await addUsage(db, scope, { phase: 'embed_files', model, calls, input_tokens: tokens });
  return fresh;
}

/** Stored by a service that had a reader for it. */
const noReader = (mediaType: string): AppError =>
  new AppError('unsupported_media_type', {
    detail: `This version of the service does not read ${mediaType}. Upload the document in another format.`,
  });
