import { makesVectors } from '../../embeddings/off.ts';
import { embedWithCache, queryInput } from '../embedding-cache.ts';
import type { TurnDeps } from './deps.ts';
import { probeText } from './retrieve.ts';

/**
 * Embeds the probes' texts ahead of the first turn: all at once, and once for a database, whose cache keeps them over a
 * restart.
 *
 * @throws EmbeddingError when the provider fails: the turns embed what they need themselves then
 */
export async function embedProbes(
  { db, knowledge: { probes }, embeddingModel, embedder }: TurnDeps,
  signal: AbortSignal,
): Promise<void> {
  if (!makesVectors(embeddingModel)) return;
  const inputs = [...probes.discovery, ...probes.evaluation].map((probe) => queryInput(probeText(probe)));
  const { vectors } = await embedWithCache(db, embeddingModel, inputs, { inputType: 'query', signal });
  for (const [index, { text }] of inputs.entries()) {
    const vector = vectors[index];
    if (vector) embedder.remember(text, vector);
  }
}
