import { createHash } from 'node:crypto';
import type { SearchMode } from '../src/contract/passage.ts';
import type { Database } from '../src/db/database.ts';
import { writeTurnPostings } from '../src/db/postings.ts';
import { refreshStatistics } from '../src/db/statistics.ts';
import { toVectorText } from '../src/db/vector-text.ts';
import { embeddingText } from '../src/documents/chunking/embedding-text.ts';
import type { EmbeddingModel } from '../src/embeddings/model.ts';
import { searchDocuments } from '../src/retrieval/documents.ts';
import type { Passage, RecalledTurn } from '../src/retrieval/passage.ts';
import { createQueryEmbedder } from '../src/retrieval/query-vector.ts';
import { searchTurns } from '../src/retrieval/turns.ts';
import type { Scope } from '../src/scope.ts';
import { embedWithCache } from '../src/services/embedding-cache.ts';
import { turnWords } from '../src/text/postings.ts';
import { type StoredDocument, storeDocument, storeProject } from '../test/helpers/stored-document.ts';

export interface EvalTurn {
  message: string;
  response: string;
}

const FILES_PER_TRANSACTION = 200;
const NO_FILTERS = { filenames: [], headerPath: [], mediaTypes: [] };

/** Stores documents and turns as the product does, and searches them with the product's own functions. */
export function createEvalStore(db: Database, model: EmbeddingModel) {
  const embedder = createQueryEmbedder(model, { cacheSize: 5_000 });

  async function embedAll(texts: string[], label: string): Promise<Float32Array[]> {
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
    addProject: (projectId: string): Promise<Scope> => storeProject(db, projectId),

    async addDocuments(scope: Scope, documents: StoredDocument[]): Promise<void> {
      const leaves = documents.flatMap((document) => document.leaves);
      const embedded = await embedAll(leaves.map(embeddingText), scope.projectId);
      const vectors = new Map(leaves.map((leaf, index) => [leaf.id, embedded[index] ?? new Float32Array()]));
      for (let from = 0; from < documents.length; from += FILES_PER_TRANSACTION) {
        await db.transaction(async (tx) => {
          for (const document of documents.slice(from, from + FILES_PER_TRANSACTION)) {
            await storeDocument(tx, scope, document, (leaf) => vectors.get(leaf.id));
          }
        });
        // as after each ingest: with the statistics of an empty table each file costs as much as all before it
        await refreshStatistics(db);
      }
      await db.query('vacuum analyze');
    },

    /** Stores finished turns, numbered from 1; without a model a turn's summary is an extract: here, its text. */
    async addTurns(scope: Scope, turns: EvalTurn[]): Promise<void> {
      const texts = turns.map(turnWords);
      const vectors = await embedAll(texts, scope.projectId);
      await db.transaction(async (tx) => {
        for (const [index, { message, response }] of turns.entries()) {
          const key = [scope.workspaceId, scope.projectId, index + 1];
          await tx.query(
            `insert into turns (workspace_id, project_id, turn_number, status, message, response)
             values ($1, $2, $3, 'completed', $4, $5)`,
            [...key, message, response],
          );
          await tx.query(
            `insert into turn_summaries (workspace_id, project_id, turn_number, summary, source, embedding)
             values ($1, $2, $3, $4, 'extract', $5::vector)`,
            [...key, texts[index], toVectorText(vectors[index] ?? new Float32Array())],
          );
          await writeTurnPostings(tx, scope, index + 1, texts[index] ?? '');
        }
      });
    },

    async findDocuments(scope: Scope, text: string, limit: number, mode: SearchMode): Promise<Passage[]> {
      const vector = await embedder.embed(text);
      const query = { text, vector, denseWeight: embedder.denseWeight, limit, mode };
      const { passages } = await searchDocuments(db, scope, {
        ...query,
        filters: NO_FILTERS,
        explain: false,
      });
      return passages;
    },

    async findTurns(scope: Scope, text: string, limit: number, mode: SearchMode): Promise<RecalledTurn[]> {
      const vector = await embedder.embed(text);
      const query = { text, vector, denseWeight: embedder.denseWeight, limit, mode };
      const { turns } = await searchTurns(db, scope, {
        ...query,
        beforeTurn: null,
        boostProbe: null,
        explain: false,
      });
      return turns;
    },
  };
}

export type EvalStore = ReturnType<typeof createEvalStore>;
