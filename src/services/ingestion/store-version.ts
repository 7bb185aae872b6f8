import type { Database, Queryable } from '../../db/database.ts';
import { markSearchable, putParentsAndLeaves, replaceParentsAndLeaves } from '../../db/documents.ts';
import type { IngestRun } from '../../db/file-runs.ts';
import { saveConversion } from '../../db/file-versions.ts';
import { copyLeafVectors, hasVectorsForAll } from '../../db/leaf-vectors.ts';
import { saveOutline } from '../../db/outlines.ts';
import type { LeafToEmbed } from '../../db/pending-vectors.ts';
import { writeLeafPostings } from '../../db/postings.ts';
import { refreshFileSummaries } from '../../db/projects.ts';
import { refreshStatistics } from '../../db/statistics.ts';
import type { PreparedDocument } from '../../documents/conversion/prepare.ts';
import type { EmbeddingModel } from '../../embeddings/model.ts';
import { makesVectors } from '../../embeddings/off.ts';
import type { Scope } from '../../scope.ts';
import { ofVectors } from './embed-leaves.ts';
import { holdRunToStore } from './hold-run.ts';
import { slices } from './slices.ts';

/** What a version comes to, and how it is stored. */
export interface VersionToStore {
  prepared: PreparedDocument;
  model: EmbeddingModel;
  signal: AbortSignal;
}

/** From so many leaves on. */
const LARGE = 1_000;

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
      await holdRunToStore(tx, scope, model, run, leaves.length);
      await work(tx);
    });
  };
  await store((tx) => saveConversion(tx, scope, fileId, version, converted));
  await store((tx) => saveOutline(tx, scope, fileId, version, outline));
  for (const slice of slices(parents)) {
    await store((tx) => putParentsAndLeaves(tx, scope, fileId, version, { parents: slice, leaves: [] }));
  }
  for (const slice of slices(leaves)) {
    await store((tx) => putParentsAndLeaves(tx, scope, fileId, version, { parents: [], leaves: slice }));
  }
}

/** Writes the words of a version, and makes it the searchable one, which `vectorsPending` of its leaves have no vector of. */
async function makeSearchable(
  tx: Queryable,
  scope: Scope,
  { fileId, version }: IngestRun,
  { document, postings }: PreparedDocument,
  vectorsPending: number,
): Promise<void> {
  const { parents, leaves } = document;
  await writeLeafPostings(tx, scope, fileId, postings);
  await markSearchable(tx, scope, fileId, version, {
    leaves: leaves.length,
    parents: parents.length,
    tokens: parents.reduce((sum, parent) => sum + parent.tokens, 0),
    vectorsPending,
  });
}

/**
 * Stores the first version of a file and makes it searchable by its words, in one transaction; a large one has its sections
 * stored before that. Its leaves have no vectors yet.
 *
 * @throws Superseded when the run is no longer the one that counts
 * @throws EmbeddingError, postponed, when another model makes the vectors now
 */
export async function storeFirstVersion(
  db: Database,
  scope: Scope,
  run: IngestRun,
  toStore: VersionToStore,
): Promise<void> {
  const { prepared, model } = toStore;
  const { converted, document, outline } = prepared;
  const { fileId, version } = run;
  const isInSlices = document.leaves.length > LARGE;
  if (isInSlices) await storeInSlices(db, scope, run, toStore);
  await db.transaction(async (tx) => {
    await holdRunToStore(tx, scope, model, run, document.leaves.length);
    if (!isInSlices) {
      await saveConversion(tx, scope, fileId, version, converted);
      await saveOutline(tx, scope, fileId, version, outline);
      await putParentsAndLeaves(tx, scope, fileId, version, document);
    }
    await makeSearchable(tx, scope, run, prepared, makesVectors(model) ? document.leaves.length : 0);
    await refreshFileSummaries(tx, scope);
  });
  // it may be searched for a long time before its last vector is there
  if (isInSlices) await refreshStatistics(db);
}

/**
 * Stores a version and puts it in the place of the one before, vectors included, in one transaction.
 *
 * @param toStore.fresh leaves that have no vector yet; those of all of them are in the embedding cache
 * @throws as `storeFirstVersion`
 */
export async function storeNextVersion(
  db: Database,
  scope: Scope,
  run: IngestRun,
  { prepared, fresh, model }: VersionToStore & { fresh: readonly LeafToEmbed[] },
): Promise<void> {
  const { converted, document, outline } = prepared;
  const { fileId, version } = run;
  await db.transaction(async (tx) => {
    await holdRunToStore(tx, scope, model, run, document.leaves.length);
    await saveConversion(tx, scope, fileId, version, converted);
    await saveOutline(tx, scope, fileId, version, outline);
    await replaceParentsAndLeaves(tx, scope, fileId, version, document);
    await copyLeafVectors(tx, scope, fileId, model, ofVectors(fresh));
    await makeSearchable(tx, scope, run, prepared, 0);
    // an older version was swapped in meanwhile and took leaves away that this run counted on: run again
    if (makesVectors(model) && !(await hasVectorsForAll(tx, scope, fileId, document.leaves.length))) {
      throw new Error('leaves changed while the version was made');
    }
    await refreshFileSummaries(tx, scope);
  });
}
