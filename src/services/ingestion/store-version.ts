import type { Database, Queryable } from '../../db/database.ts';
import { markSearchable, putParentsAndLeaves, replaceParentsAndLeaves } from '../../db/documents.ts';
import { type IngestRun, recordProgress } from '../../db/file-runs.ts';
import { saveConversion } from '../../db/file-versions.ts';
import { copyLeafVectors, hasVectorsForAll } from '../../db/leaf-vectors.ts';
import { saveOutline } from '../../db/outlines.ts';
import { writeLeafPostings } from '../../db/postings.ts';
import { holdProject, refreshFileSummaries } from '../../db/projects.ts';
import type { Leaf } from '../../documents/chunking/chunks.ts';
import type { PreparedDocument } from '../../documents/conversion/prepare.ts';
import type { EmbeddingModel } from '../../embeddings/model.ts';
import { makesVectors } from '../../embeddings/off.ts';
import type { Scope } from '../../scope.ts';
import { holdEmbeddingModel } from '../embedding-settings.ts';
import { Superseded } from './superseded.ts';

/** What a version comes to, and how it is stored. */
export interface VersionToStore {
  prepared: PreparedDocument;
  /** Leaves that have no vector yet; those of all of them are in the embedding cache. */
  fresh: readonly Leaf[];
  /** Whether nothing of the file is searchable yet. */
  isFirst: boolean;
  model: EmbeddingModel;
  signal: AbortSignal;
}

/** From so many leaves on. */
const LARGE = 1_000;
/**
 * Parents, or leaves with their vectors, of one transaction. It takes some hundredths of a second on the embedded database, and a
 * small file that is stored meanwhile waits for one of them before each of its fifteen statements.
 */
const SLICE = 200;

function* slices<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += SLICE) yield items.slice(start, start + SLICE);
}

/** Holds what a transaction of the run changes; the file's row is locked by it, so whoever else swaps a version of it waits. */
async function holdRun(tx: Queryable, scope: Scope, run: IngestRun, model: EmbeddingModel): Promise<void> {
  if (!(await holdProject(tx, scope))) throw new Superseded();
  await holdEmbeddingModel(tx, model);
  if (!(await recordProgress(tx, scope, run, { stage: 'storing' }))) throw new Superseded();
}

/**
 * Stores the sections of a file of which nothing is searchable yet in many short transactions: the embedded database has one
 * connection, and 20,000 sections in one transaction keep everybody else waiting for seconds. Nothing of it is seen before the
 * version is made searchable.
 */
async function storeInSlices(
  db: Database,
  scope: Scope,
  run: IngestRun,
  { prepared, model, signal }: VersionToStore,
): Promise<void> {
  const { fileId, version } = run;
  const { converted, document, outline } = prepared;
  const { parents, leaves } = document;
  const store = (work: (tx: Queryable) => Promise<unknown>): Promise<void> => {
    signal.throwIfAborted();
    return db.transaction(async (tx) => {
      await holdRun(tx, scope, run, model);
      await work(tx);
    });
  };
  await store((tx) => saveConversion(tx, scope, fileId, version, converted));
  await store((tx) => saveOutline(tx, scope, fileId, version, outline));
  for (const slice of slices(parents)) {
    await store((tx) => putParentsAndLeaves(tx, scope, fileId, version, { parents: slice, leaves: [] }));
  }
  for (const slice of slices(leaves)) {
    await store(async (tx) => {
      await putParentsAndLeaves(tx, scope, fileId, version, { parents: [], leaves: slice });
      if (makesVectors(model)) await copyLeafVectors(tx, scope, fileId, model, slice);
    });
  }
}

/**
 * Stores a version and makes it the searchable one, in the place of the one before, in one transaction; a large first version
 * has its sections stored before that.
 *
 * @throws Superseded when the run is no longer the one that counts
 * @throws EmbeddingError, postponed, when another model makes the vectors now
 */
export async function storeVersion(
  db: Database,
  scope: Scope,
  run: IngestRun,
  toStore: VersionToStore,
): Promise<void> {
  const { prepared, fresh, isFirst, model } = toStore;
  const { converted, document, postings, outline } = prepared;
  const { fileId, version } = run;
  const { parents, leaves } = document;
  const isInSlices = isFirst && leaves.length > LARGE;
  if (isInSlices) await storeInSlices(db, scope, run, toStore);
  await db.transaction(async (tx) => {
    await holdRun(tx, scope, run, model);
    if (!isInSlices) {
      await saveConversion(tx, scope, fileId, version, converted);
      await saveOutline(tx, scope, fileId, version, outline);
      await replaceParentsAndLeaves(tx, scope, fileId, version, document);
      await copyLeafVectors(tx, scope, fileId, model, fresh);
    }
    await writeLeafPostings(tx, scope, fileId, postings);
    await markSearchable(tx, scope, fileId, version, {
      leaves: leaves.length,
      parents: parents.length,
      tokens: parents.reduce((sum, parent) => sum + parent.tokens, 0),
    });
    // an older version was swapped in meanwhile and took leaves away that this run counted on: run again
    if (makesVectors(model) && !(await hasVectorsForAll(tx, scope, fileId, leaves.length))) {
      throw new Error('leaves changed while the version was made');
    }
    await refreshFileSummaries(tx, scope);
  });
}
