import type { Queryable } from '../db/database.ts';
import { hasEmbeddableTexts } from '../db/embedded-texts.ts';
import { readSetting, writeSetting } from '../db/settings.ts';
import type { EmbeddingModel } from '../embeddings/model.ts';
import { makesVectors } from '../embeddings/off.ts';

/** Which model made the stored vectors. */
interface EmbeddingInForce {
  provider: string;
  model: string;
  dimensions: number;
}

const inForceOf = (model: EmbeddingModel): EmbeddingInForce => ({
  provider: model.provider,
  model: model.id,
  dimensions: model.dimensions,
});

const nameOf = (inForce: EmbeddingInForce): string =>
  inForce.provider === 'off'
    ? 'nothing'
    : `${inForce.provider} ${inForce.model} (${inForce.dimensions} dimensions)`;

/** Records `model` as the one that makes the stored vectors. */
export function recordEmbeddingModel(db: Queryable, model: EmbeddingModel): Promise<void> {
  return writeSetting(db, 'embedding', inForceOf(model));
}

/**
 * Refuses to work with vectors that another model made: their distances to this one's mean nothing. Nor are texts without vectors
 * searched by meaning. Without embeddings (`off`) everything can be worked with.
 *
 * @throws Error naming both models and the command that embeds again
 */
export async function assertEmbeddingModel(db: Queryable, model: EmbeddingModel): Promise<void> {
  const stored = await readSetting<EmbeddingInForce>(db, 'embedding');
  const wanted = inForceOf(model);
  if (stored && stored.model === wanted.model && stored.dimensions === wanted.dimensions) return;
  // the vectors that there are stay in the cache, for the day when it is switched on again
  if (stored && makesVectors(model) && (await hasEmbeddableTexts(db))) {
    throw new Error(
      `the stored vectors were made by ${nameOf(stored)}, the settings ask for ${nameOf(wanted)}: ` +
        'run `npx forge reindex` with the new settings to embed everything again, or restore the old settings',
    );
  }
  await recordEmbeddingModel(db, model);
}
