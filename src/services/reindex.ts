import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { isOnCluster } from '../db/distribution/nodes.ts';
import { replaceVectorsByProject } from '../db/distribution/project-vectors.ts';
import {
  countEmbeddableTexts,
  type EmbeddedLeaf,
  type EmbeddedSummary,
  removeAllVectors,
  replaceAllVectors,
  selectAllProjects,
  selectLeavesAfter,
  selectSummariesAfter,
} from '../db/embedded-texts.ts';
import { cacheKey } from '../db/embedding-cache.ts';
import { embeddingText } from '../documents/chunking/embedding-text.ts';
import { EmbeddingError, type EmbeddingModel } from '../embeddings/model.ts';
import { makesVectors } from '../embeddings/off.ts';
import { type EmbeddingInput, embedIntoCache } from './embedding-cache.ts';
import { recordEmbeddingModel } from './embedding-settings.ts';
import { indexWords, type OnUnindexed } from './lexical-index.ts';

/** Texts read and embedded at a time: the memory of one round. */
const ROUND = 256;

/** How often what was added meanwhile is embedded before the run gives up. */
const SWAPS = 10;

/** Who watches a run. */
export interface ReindexListener {
  progress(done: number, total: number): void;
  /** The provider's rate limit holds the run up. */
  waiting(seconds: number): void;
  /** The words of a file or turn could not be indexed; the others are. */
  unindexed: OnUnindexed;
}

/** Reads rows of a project in the order of their keys, a round at a time. */
async function* rounds<T>(readAfter: (last: T | null) => Promise<T[]>): AsyncGenerator<T[]> {
  for (let rows = await readAfter(null); rows.length > 0; rows = await readAfter(rows.at(-1) ?? null)) {
    yield rows;
  }
}

/** Every text, project by project. */
async function* allInputs(db: Database): AsyncGenerator<EmbeddingInput[]> {
  for (const scope of await selectAllProjects(db)) {
    const { workspaceId } = scope;
    for await (const leaves of rounds<EmbeddedLeaf>((last) => selectLeavesAfter(db, scope, last, ROUND))) {
      yield leaves.map((leaf) => ({ hash: cacheKey(workspaceId, leaf.hash), text: embeddingText(leaf) }));
    }
    for await (const summaries of rounds<EmbeddedSummary>((last) =>
      selectSummariesAfter(db, scope, last, ROUND),
    )) {
      yield summaries.map(({ hash, summary }) => ({ hash: cacheKey(workspaceId, hash), text: summary }));
    }
  }
}

/** The same, together where they are few: a call to a model costs the same for one text and for many. */
async function* gathered(parts: AsyncGenerator<EmbeddingInput[]>): AsyncGenerator<EmbeddingInput[]> {
  let waiting: EmbeddingInput[] = [];
  for await (const part of parts) {
    waiting.push(...part);
    if (waiting.length < ROUND) continue;
    yield waiting;
    waiting = [];
  }
  if (waiting.length > 0) yield waiting;
}

/** Has vectors of all texts in the cache, however long the provider's limits make it wait. */
async function embedAll(db: Database, model: EmbeddingModel, listener: ReindexListener): Promise<number> {
  const total = await countEmbeddableTexts(db);
  let done = 0;
  const embed = async (inputs: EmbeddingInput[]): Promise<unknown> => {
    try {
      return await embedIntoCache(db, model, inputs, { onWait: ({ seconds }) => listener.waiting(seconds) });
    } catch (error) {
      if (!(error instanceof EmbeddingError && error.isPostponed)) throw error;
      const { retryAfterSeconds = 0 } = error;
      listener.waiting(retryAfterSeconds);
      await delay(retryAfterSeconds * 1_000);
      return embed(inputs);
    }
  };
  for await (const inputs of gathered(allInputs(db))) {
    await embed(inputs);
    done += inputs.length;
    listener.progress(done, Math.max(done, total));
  }
  return done;
}

/** Texts were added that have no vector of the new model yet. */
class TextsAdded extends Error {}

/** Puts all vectors of the model in place and the model in force, or changes nothing. */
async function swap(db: Database, model: EmbeddingModel): Promise<boolean> {
  const replace = (await isOnCluster(db)) ? replaceVectorsByProject : replaceAllVectors;
  try {
    await db.transaction(async (tx) => {
      // first: from here on, whoever stores vectors waits, and finds then that another model is in force
      await recordEmbeddingModel(tx, model);
      if (!makesVectors(model)) return removeAllVectors(tx);
      if (!(await replace(tx, model))) throw new TextsAdded();
    });
    return true;
  } catch (error) {
    if (error instanceof TextsAdded) return false;
    throw error;
  }
}

/**
 * Embeds everything again with another model, and indexes the words of what another build indexed. The new vectors are made
 * beside the old ones, in the embedding cache, so that a run that is broken off goes on where it was; then all are put in
 * place in one transaction. On a server the service may run meanwhile: it answers with the old vectors until then.
 *
 * @returns how many texts were embedded, and how many files and turns indexed
 */
export async function reindex(
  db: Database,
  model: EmbeddingModel,
  listener: ReindexListener,
): Promise<{ embedded: number; indexed: number }> {
  for (let left = SWAPS; left > 0; left -= 1) {
    const embedded = makesVectors(model) ? await embedAll(db, model, listener) : 0;
    if (await swap(db, model)) return { embedded, indexed: await indexWords(db, listener.unindexed) };
  }
  throw new Error('documents are added faster than they can be embedded: run it again when less is uploaded');
}
