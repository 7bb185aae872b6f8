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
import { indexWords } from './lexical-index.ts';

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
 * Embeds everything again with another model, and indexes the words of what another build indexed. The new vectors are made beside the old ones, in the embedding cache, so
 * that a run that is broken off goes on where it was; then all are put in place in one transaction. The service must
 * not run meanwhile.
 *
 * @param onProgress called with how many texts have been embedded
 * @returns how many texts were embedded, and how many files and turns indexed
 */
export async function reindex(
  db: Database,
  model: EmbeddingModel,
  onProgress: (done: number) => void,
): Promise<{ embedded: number; indexed: number }> {
  let embedded = 0;
  for await (const inputs of allInputs(db)) {
    await embedIntoCache(db, model, inputs, {});
    embedded += inputs.length;
    onProgress(embedded);
  }
  await db.transaction(async (tx) => {
    if (!(await replaceAllVectors(tx, model))) {
      throw new Error('leaves were added meanwhile: stop the service, then run it again');
    }
    await recordEmbeddingModel(tx, model);
  });
  return { embedded, indexed: await indexWords(db) };
}
