import type { Queryable } from '../db/database.ts';
import { hasEmbeddableTexts } from '../db/embedded-texts.ts';
import { holdSetting, readSetting, writeSetting } from '../db/settings.ts';
import { EmbeddingError, type EmbeddingModel } from '../embeddings/model.ts';
import { makesVectors } from '../embeddings/off.ts';

/** Which model made the stored vectors. */
export interface EmbeddingInForce {
  provider: string;
  model: string;
  dimensions: number;
}

/** What a model is told apart by. */
type NamedModel = Pick<EmbeddingModel, 'provider' | 'id' | 'dimensions'>;

const inForceOf = (model: NamedModel): EmbeddingInForce => ({
  provider: model.provider,
  model: model.id,
  dimensions: model.dimensions,
});

const nameOf = (inForce: EmbeddingInForce): string =>
  inForce.provider === 'off'
    ? 'nothing'
    : `${inForce.provider} ${inForce.model} (${inForce.dimensions} dimensions)`;

const isSame = (a: EmbeddingInForce, b: EmbeddingInForce): boolean =>
  a.model === b.model && a.dimensions === b.dimensions;

/** Records `model` as the one that makes the stored vectors. */
export function recordEmbeddingModel(db: Queryable, model: EmbeddingModel): Promise<void> {
  return writeSetting(db, 'embedding', inForceOf(model));
}

/**
 * What a process is: the service, whose settings count; a command that works on the database in its place, and takes over
 * nothing from it; or one that only reads.
 */
export type ProcessRole = 'service' | 'worker' | 'reader';

/**
 * Refuses to work with vectors that another model made: their distances to this one's mean nothing. Nor are texts without vectors
 * searched by meaning. A service without embeddings (`off`) can work with everything.
 *
 * @throws Error naming both models and the command that embeds again
 */
export async function assertEmbeddingModel(
  db: Queryable,
  model: EmbeddingModel,
  role: ProcessRole = 'service',
): Promise<void> {
  const stored = await readSetting<EmbeddingInForce>(db, 'embedding');
  const wanted = inForceOf(model);
  if (stored && isSame(stored, wanted)) return;
  // the vectors that there are stay in the cache, for the day when it is switched on again
  const isRefused = makesVectors(model) || role === 'worker';
  if (stored && isRefused && (await hasEmbeddableTexts(db))) {
    throw new Error(
      `the stored vectors were made by ${nameOf(stored)}, the settings ask for ${nameOf(wanted)}: ` +
        'run `npx forge reindex` with the new settings to embed everything again (on a Postgres server while the service runs with the old ones), or restore the old settings',
    );
  }
  if (role !== 'reader') await recordEmbeddingModel(db, model);
}

/**
 * What is wrong when another model has taken the place of this one since the start (`forge reindex`), and what to do; null when
 * none has.
 */
export async function foreignVectors(db: Queryable, model: NamedModel): Promise<string | null> {
  const stored = await readSetting<EmbeddingInForce>(db, 'embedding');
  return stored && !isSame(stored, inForceOf(model)) ? takenOver(stored, model) : null;
}

const takenOver = (stored: EmbeddingInForce, model: NamedModel): string =>
  `The stored vectors are of ${nameOf(stored)} now, and this service was set up for ${nameOf(inForceOf(model))}: it has to be started again with the settings of the reindex.`;

/** How long work waits for a service with the settings that fit. */
const RESTART_SECONDS = 30;

/**
 * Keeps any other model from taking over until the transaction ends: to be called before vectors of this one are stored.
 *
 * @throws EmbeddingError, postponed, when another one has
 */
export async function holdEmbeddingModel(tx: Queryable, model: EmbeddingModel): Promise<void> {
  const stored = await holdSetting<EmbeddingInForce>(tx, 'embedding');
  if (!stored || isSame(stored, inForceOf(model))) return;
  const advice = takenOver(stored, model);
  throw new EmbeddingError(advice, {
    retryable: true,
    isPostponed: true,
    retryAfterSeconds: RESTART_SECONDS,
    advice,
  });
}
