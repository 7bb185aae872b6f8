import type { Database } from '../db/database.ts';
import {
  type EmbeddedLeaf,
  type EmbeddedSummary,
  replaceAllVectors,
  selectLeavesAfter,
  selectSummariesAfter,
} from '../db/embedded-texts.ts';
import { embeddingText } from '../documents/chunking/embedding-text.ts';
import type { EmbeddingModel } from '../embeddings/model.ts';
import { type EmbeddingInput, embedIntoCache } from './embedding-cache.ts';
import { recordEmbeddingModel } from './embedding-settings.ts';

/** Texts read and embedded at a time: the memory of one round. */
const ROUND = 256;

/** Reads rows in the order of their keys, a round at a time. */
async function* rounds<T>(readAfter: (last: T | null) => Promise<T[]>): AsyncGenerator<T[]> {
  for (let rows = await readAfter(null); rows.length > 0; rows = await readAfter(rows.at(-1) ?? null)) {
    yield rows;
  }
}

async function* allInputs(db: Database): AsyncGenerator<EmbeddingInput[]> {
  for await (const leaves of rounds<EmbeddedLeaf>((last) => selectLeavesAfter(db, last, ROUND))) {
    yield leaves.map((leaf) => ({ hash: leaf.content_hash, text: embeddingText(leaf) }));
  }
  for await (const summaries of rounds<EmbeddedSummary>((last) => selectSummariesAfter(db, last, ROUND))) {
    yield summaries.map(({ hash, summary }) => ({ hash, text: summary }));
  }
}

/**
 * Embeds everything again with another model. The new vectors are made beside the old ones, in the embedding cache, so
 * that a run that is broken off goes on where it was; then all are put in place in one transaction. The service must
 * not run meanwhile.
 *
 * @param onProgress called with how many texts have been embedded
 * @returns how many texts there were
 */
export async function reindex(
  db: Database,
  model: EmbeddingModel,
  onProgress: (done: number) => void,
): Promise<number> {
  let done = 0;
  for await (const inputs of allInputs(db)) {
    await embedIntoCache(db, model, inputs, {});
    done += inputs.length;
    onProgress(done);
  }
  await db.transaction(async (tx) => {
    if (!(await replaceAllVectors(tx, model))) {
      throw new Error('leaves were added meanwhile: stop the service, then run it again');
    }
    await recordEmbeddingModel(tx, model);
  });
  return done;
}
