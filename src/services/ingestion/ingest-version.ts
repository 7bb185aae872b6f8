import { chunkingSchema } from '../../contract/chunking.ts';
import type { FileStage } from '../../contract/file.ts';
import { discardUnfinished } from '../../db/documents.ts';
import { type IngestRun, recordProgress, startRun } from '../../db/file-runs.ts';
import { readSource, saveConversion } from '../../db/file-versions.ts';
import { type LeafToEmbed, recordVectors, selectLeavesToEmbed } from '../../db/pending-vectors.ts';
import type { Converter } from '../../documents/conversion/pool.ts';
import type { PreparedDocument } from '../../documents/conversion/prepare.ts';
import { ConversionError } from '../../documents/formats/converted.ts';
import { formatOfMediaType } from '../../documents/formats/registry.ts';
import { makesVectors } from '../../embeddings/off.ts';
import { AppError } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { scopedSignal } from '../../scoped-signal.ts';
import type { Weight } from '../../weight.ts';
import type { Originals } from '../originals/originals.ts';
import { type EmbeddingDeps, embedStored, embedVersion, inContext } from './embed-leaves.ts';
import { holdRun } from './hold-run.ts';
import { lowFidelity } from './low-fidelity.ts';
import { createStageClock, type OnStage, type StageClock } from './stage-clock.ts';
import { storeFirstVersion, storeNextVersion } from './store-version.ts';
import { Superseded } from './superseded.ts';

/** What ingestion needs from outside. */
export interface PipelineDeps extends EmbeddingDeps {
  originals: Originals;
  converter: Pick<Converter, 'convert'>;
  /** Told that an outline was stored with its version. */
  onOutline?: () => void;
  onStage?: OnStage;
}

/** How an attempt is made. */
export interface Attempt {
  signal: AbortSignal;
  /** What the file is taken to weigh. */
  weight: Weight;
}

/** An attempt that goes on. */
interface Underway extends Attempt {
  deps: PipelineDeps;
  scope: Scope;
  run: IngestRun;
  clock: StageClock;
  /** Shows the stage that begins, unless the run has ended. */
  enter(stage: FileStage, chunksTotal?: number): Promise<void>;
}

/**
 * Takes a stored upload to searchable sections: convert, section, size, store, embed. The slow steps run outside any transaction.
 *
 * The first version of a file is stored without its vectors and is searchable by its words from then on; the vectors follow as they
 * arrive, and an attempt that is broken off meanwhile goes on with those that are missing. A newer version is embedded first, and
 * one transaction puts it in the place of the one before. Every step can be repeated: vectors are kept as they arrive, so a second
 * run after a crash embeds only what the first had not.
 *
 * @returns false when the run is no longer the one that counts
 * @throws ConversionError, EmbeddingError, WeighedError
 */
export async function ingestVersion(
  deps: PipelineDeps,
  scope: Scope,
  run: IngestRun,
  attempt: Attempt,
): Promise<boolean> {
  const clock = createStageClock(deps.onStage);
  const enter = async (stage: FileStage, chunksTotal?: number) => {
    clock.enter(stage);
    attempt.signal.throwIfAborted();
    const progress = { stage, ...(chunksTotal !== undefined && { chunksTotal, chunksDone: 0 }) };
    if (!(await recordProgress(deps.db, scope, run, progress))) throw new Superseded();
  };
  try {
    await runStages({ deps, scope, run, clock, enter, ...attempt });
    clock.end();
    return true;
  } catch (error) {
    clock.breakOff(error);
    if (error instanceof Superseded) return false;
    throw error;
  }
}

async function runStages(underway: Underway): Promise<void> {
  const { deps, scope, run } = underway;
  const started = await startRun(deps.db, scope, run);
  if (!started) throw new Superseded();
  if (started.isSearchable) {
    if (started.vectorsPending > 0) await embedRest(underway);
    return;
  }
  // of an attempt that did not come to its end
  if (started.hasLeftovers) await discardUnfinished(deps.db, scope, run.fileId);
  const prepared = await convert(underway).catch(async (error: unknown) => {
    // nobody else would come back for the vectors that the version before still lacks
    const isLasting = error instanceof ConversionError || error instanceof AppError;
    if (isLasting && started.vectorsPending > 0) await embedRest(underway);
    throw error;
  });
  await (started.isFirst ? storeFirst(underway, prepared) : storeNext(underway, prepared));
}

/** The version's bytes as a document in sections. */
async function convert({
  deps,
  scope,
  run,
  signal,
  weight,
  clock,
  enter,
}: Underway): Promise<PreparedDocument> {
  const { db, originals, converter } = deps;
  const { fileId, version } = run;
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
  const refusal = lowFidelity(prepared.converted.fidelity, source.minFidelity);
  if (refusal) {
    // its report says what was lost
    await saveConversion(db, scope, fileId, version, prepared.converted);
    throw refusal;
  }
  return prepared;
}

/** Words first; the model is asked for the first vectors meanwhile. */
async function storeFirst(underway: Underway, prepared: PreparedDocument): Promise<void> {
  const { deps, scope, run, clock } = underway;
  const { db, embeddingModel: model, onOutline } = deps;
  const { leaves } = prepared.document;
  clock.enter('storing');
  const failed = new AbortController();
  const { signal, close } = scopedSignal([underway.signal, failed.signal]);
  const stored = clock
    .run(() => storeFirstVersion(db, scope, run, { prepared, model, signal }))
    .then(
      () => {
        clock.end();
        onOutline?.();
      },
      (error: unknown) => {
        failed.abort(error);
        throw error;
      },
    );
  const embedded = makesVectors(model)
    ? embedOnTime(underway, async () =>
        embedStored(deps, scope, run, await inContext(db, scope, run.fileId, leaves), { signal, stored }),
      )
    : stored;
  // what failed first is not always what was to blame: there are no vectors without leaves
  const [storing, embedding] = await Promise.allSettled([stored, embedded]);
  close();
  if (storing.status === 'rejected') throw storing.reason;
  if (embedding.status === 'rejected') throw embedding.reason;
}

/** In the place of the version before, which is found until all of it is there. */
async function storeNext(underway: Underway, prepared: PreparedDocument): Promise<void> {
  const { deps, scope, run, signal, clock, enter } = underway;
  const { db, embeddingModel: model, onOutline } = deps;
  let fresh: readonly LeafToEmbed[] = [];
  if (makesVectors(model)) {
    const { leaves } = prepared.document;
    await enter('embedding', leaves.length);
    fresh = await clock.run(() => embedVersion(deps, scope, run, leaves, signal));
  }
  await enter('storing');
  await clock.run(() => storeNextVersion(db, scope, run, { prepared, fresh, model, signal }));
  onOutline?.();
}

/** Gives the searchable version the vectors that it lacks. */
async function embedRest(underway: Underway): Promise<void> {
  const { deps, scope, run, signal } = underway;
  const { db, embeddingModel: model } = deps;
  const leaves = makesVectors(model) ? await selectLeavesToEmbed(db, scope, run.fileId) : [];
  await db.transaction((tx) =>
    holdRun(tx, scope, model, () => recordVectors(tx, scope, run, { pending: leaves.length })),
  );
  if (leaves.length === 0) return;
  const stored = Promise.resolve();
  await embedOnTime(underway, () => embedStored(deps, scope, run, leaves, { signal, stored }));
}

/** Times the embedding by itself: it begins while the words are stored. */
async function embedOnTime({ deps }: Underway, embed: () => Promise<void>): Promise<void> {
  const clock = createStageClock(deps.onStage);
  clock.enter('embedding');
  await clock.run(embed).then(clock.end, (error: unknown) => {
    clock.breakOff(error);
    throw error;
  });
}

/** Stored by a service that had a reader for it. */
const noReader = (mediaType: string): AppError =>
  new AppError('unsupported_media_type', {
    detail: `This version of the service does not read ${mediaType}. Upload the document in another format.`,
  });
