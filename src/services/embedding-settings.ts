import type { Database } from '../db/database.ts';
import type { EmbeddingModel } from '../embeddings/model.ts';

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
  `${inForce.provider} ${inForce.model} (${inForce.dimensions} dimensions)`;

/** Records `model` as the one that makes the stored vectors. */
export async function recordEmbeddingModel(
  db: Pick<Database, 'query'>,
  model: EmbeddingModel,
): Promise<void> {
  await db.query(
    `insert into settings (key, value) values ('embedding', $1)
     on conflict (key) do update set value = excluded.value, updated_at = now()`,
    [JSON.stringify(inForceOf(model))],
  );
}

/**
 * Refuses to work with vectors that another model made: their distances to this one's mean nothing.
 *
 * @throws Error naming both models and the command that embeds again
 */
export async function assertEmbeddingModel(db: Database, model: EmbeddingModel): Promise<void> {
  const { rows } = await db.query<{ value: EmbeddingInForce }>(
    "select value from settings where key = 'embedding'",
  );
  const stored = rows[0]?.value;
  const wanted = inForceOf(model);
  if (stored && stored.model === wanted.model && stored.dimensions === wanted.dimensions) return;
  const { rows: vectors } = await db.query(
    'select 1 from leaf_vectors union all select 1 from turn_summaries where embedding is not null limit 1',
  );
  if (stored && vectors.length > 0) {
    throw new Error(
      `the stored vectors were made by ${nameOf(stored)}, the settings ask for ${nameOf(wanted)}: ` +
        'run `npx forge reindex` with the new settings to embed everything again, or restore the old settings',
    );
  }
  await recordEmbeddingModel(db, model);
}
