import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../src/db/database.ts';
import { refreshStatistics } from '../src/db/statistics.ts';
import { embeddingText } from '../src/documents/chunking/embedding-text.ts';
import type { EmbeddingModel } from '../src/embeddings/model.ts';
import { makesVectors } from '../src/embeddings/off.ts';
import type { Scope } from '../src/scope.ts';
import { embedWithCache } from '../src/services/embedding-cache.ts';
import { turnWords } from '../src/text/postings.ts';
import { storeProject } from '../test/helpers/rows/project.ts';
import { type StoredDocument, storeDocument } from '../test/helpers/stored-document.ts';
import { storeIndexedTurn } from '../test/helpers/stored-turn.ts';
import type { EvalContexts } from './contexts.ts';
import type { EvalSettings } from './retrieval-settings.ts';

export interface EvalTurn {
  message: string;
  response: string;
}

const FILES_PER_TRANSACTION = 200;

/** The same document; what is embedded and indexed of a leaf has its context. */
const withContexts = (document: StoredDocument, contexts: ReadonlyMap<string, string>): StoredDocument => ({
  ...document,
  leaves: document.leaves.map((leaf) => ({ ...leaf, context: contexts.get(leaf.id) ?? null })),
});

/** Stores documents and turns as the product does, indexed as the settings say. */
export function createEvalStore(
  db: Database,
  model: EmbeddingModel,
  { headerWeight }: EvalSettings['index'],
  contexts: EvalContexts | null = null,
) {
  async function embedAll(texts: string[], label: string): Promise<Float32Array[]> {
    if (!makesVectors(model)) return [];
    const inputs = texts.map((text) => ({ hash: createHash('sha256').update(text).digest('hex'), text }));
    let shown = Date.now();
    const { vectors } = await embedWithCache(db, model, inputs, {
      inputType: 'document',
      onProgress: (done, total) => {
        if (Date.now() - shown < 15_000) return;
        shown = Date.now();
        console.error(`  ${label}: embedded ${done} of ${total}`);
      },
    });
    return vectors;
  }

  return {
    /** A project of its own for each index that is made of a set. */
    addProject: (name: string): Promise<Scope> =>
      storeProject(db, `${name}-${randomBytes(4).toString('hex')}`),

    async addDocuments(scope: Scope, given: StoredDocument[]): Promise<void> {
      const written = await contexts?.write(scope.projectId, given);
      const documents = written ? given.map((document) => withContexts(document, written)) : given;
      const leaves = documents.flatMap((document) => document.leaves);
      const embedded = await embedAll(leaves.map(embeddingText), scope.projectId);
      const vectors = new Map(leaves.map((leaf, index) => [leaf.id, embedded[index]]));
      for (let from = 0; from < documents.length; from += FILES_PER_TRANSACTION) {
        await db.transaction(async (tx) => {
          for (const document of documents.slice(from, from + FILES_PER_TRANSACTION)) {
            await storeDocument(tx, scope, document, (leaf) => vectors.get(leaf.id), headerWeight);
          }
        });
        // as after each ingest: with the statistics of an empty table each file costs as much as all before it
        await refreshStatistics(db);
      }
      await db.query('vacuum analyze');
    },

    async addTurns(scope: Scope, turns: EvalTurn[]): Promise<void> {
      const texts = turns.map(turnWords);
      const vectors = await embedAll(texts, scope.projectId);
      await db.transaction(async (tx) => {
        for (const [index, { message, response }] of turns.entries()) {
          const vector = vectors[index];
          const summary = vector && { summary: { text: texts[index] ?? '', vector } };
          await storeIndexedTurn(tx, scope, { turnNumber: index + 1, message, response, ...summary });
        }
      });
    },
  };
}

export type EvalStore = ReturnType<typeof createEvalStore>;
