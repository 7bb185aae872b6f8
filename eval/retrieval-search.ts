import type { SearchMode } from '../src/contract/passage.ts';
import { countCopiesOnce } from '../src/copilot/copies.ts';
import type { Database } from '../src/db/database.ts';
import { searchDocuments } from '../src/retrieval/documents.ts';
import type { FoundPassage, RecalledTurn } from '../src/retrieval/passage.ts';
import type { QueryEmbedder } from '../src/retrieval/query-vector.ts';
import type { Reranker } from '../src/retrieval/rerank.ts';
import { searchTurns } from '../src/retrieval/turns.ts';
import type { Scope } from '../src/scope.ts';
import { type LikelyLeaf, likelyLeaves } from '../src/services/outlines/likely-leaves.ts';
import { termsAsked } from '../src/text/asked-terms.ts';
import type { EvalSettings } from './retrieval-settings.ts';

/** Sections wanted of one file. */
const SECTIONS = 5;
const NO_FILTERS = { filenames: [], headerPath: [], mediaTypes: [] };

/** Searches what an `EvalStore` has stored with the product's own functions, in one mode and with some settings; a reranker orders documents. */
export function createEvalSearch(
  db: Database,
  embedder: QueryEmbedder,
  mode: SearchMode,
  settings: EvalSettings,
  reranker: Reranker | null = null,
) {
  const calibration = settings.model;
  return {
    mode,
    floor: settings.relevance.floor,

    async findDocuments(scope: Scope, text: string, limit: number): Promise<FoundPassage[]> {
      const vector = await embedder.embed(text);
      const wide = Math.max(limit, reranker?.candidates ?? 0);
      const query = { text, vector, calibration, limit: wide, mode, filters: NO_FILTERS, explain: false };
      const { hits } = await searchDocuments(db, scope, query, settings);
      const distinct = countCopiesOnce(hits, () => false).map(({ passage }) => passage);
      if (!reranker) return distinct;
      return (await reranker.rerank(text, distinct, {})).hits.slice(0, limit);
    },

    async findTurns(scope: Scope, text: string, limit: number): Promise<RecalledTurn[]> {
      const vector = await embedder.embed(text);
      const place = { beforeTurn: null, boostProbe: null, explain: false };
      const query = { text, vector, calibration, limit, mode, ...place };
      const { hits } = await searchTurns(db, scope, query, settings);
      return hits;
    },

    /** All leaves of one file that are likely at all; by words and headings in lexical mode, as without a provider. */
    async findLeaves(scope: Scope, filename: string, text: string): Promise<LikelyLeaf[]> {
      const question = {
        file: { fileId: filename, name: filename, version: 1 },
        text,
        terms: termsAsked(text, null),
        vector: mode === 'lexical' ? Promise.resolve(null) : embedder.embed(text),
        calibration: settings.model,
        topK: SECTIONS,
        minConfidence: 0,
      };
      return likelyLeaves(db, scope, question, { leafPath: [], isNarrowed: false }, settings);
    },
  };
}

export type EvalSearch = ReturnType<typeof createEvalSearch>;
