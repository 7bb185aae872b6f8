import type { Queryable } from '../../db/database.ts';
import { type IngestRun, recordProgress } from '../../db/file-runs.ts';
import { holdProject } from '../../db/projects.ts';
import type { EmbeddingModel } from '../../embeddings/model.ts';
import type { Scope } from '../../scope.ts';
import { holdEmbeddingModel } from '../embedding-settings.ts';
import { Superseded } from './superseded.ts';

/**
 * Holds what a transaction of the run changes; the file's row is locked by `note`, so whoever else swaps a version of it waits.
 *
 * @param note what the run records of itself; false when it is no longer the one that counts
 * @throws Superseded when the run is no longer the one that counts
 * @throws EmbeddingError, postponed, when another model makes the vectors now
 */
export async function holdRun(
  tx: Queryable,
  scope: Scope,
  model: EmbeddingModel,
  note: () => Promise<boolean>,
): Promise<void> {
  if (!(await holdProject(tx, scope))) throw new Superseded();
  await holdEmbeddingModel(tx, model);
  if (!(await note())) throw new Superseded();
}

/** The same for a transaction that stores sections: so many leaves in all. */
export const holdRunToStore = (
  tx: Queryable,
  scope: Scope,
  model: EmbeddingModel,
  run: IngestRun,
  chunksTotal: number,
): Promise<void> =>
  holdRun(tx, scope, model, () => recordProgress(tx, scope, run, { stage: 'storing', chunksTotal }));
