import type { Database } from '../src/db/database.ts';
import { searchDocuments } from '../src/retrieval/documents.ts';
import type { Passage, RecalledTurn, SearchMode } from '../src/retrieval/passage.ts';
import type { QueryEmbedder } from '../src/retrieval/query-vector.ts';
import { searchTurns } from '../src/retrieval/turns.ts';
import type { Scope } from '../src/scope.ts';
import type { EvalSettings } from './retrieval-settings.ts';

const NO_FILTERS = { filenames: [], headerPath: [], mediaTypes: [] };

/** Searches what an `EvalStore` has stored with the product's own functions, in one mode and with some settings. */
export function createEvalSearch(
  db: Database,
  embedder: QueryEmbedder,
  mode: SearchMode,
  settings: EvalSettings,
) {
  const { fusionWeight } = settings.model;
  return {
    async findDocuments(scope: Scope, text: string, limit: number): Promise<Passage[]> {
      const vector = await embedder.embed(text);
      const query = { text, vector, fusionWeight, limit, mode, filters: NO_FILTERS, explain: false };
      const { passages } = await searchDocuments(db, scope, query, settings);
      return passages;
    },

    async findTurns(scope: Scope, text: string, limit: number): Promise<RecalledTurn[]> {
      const vector = await embedder.embed(text);
      const place = { beforeTurn: null, boostProbe: null, explain: false };
      const query = { text, vector, fusionWeight, limit, mode, ...place };
      const { turns } = await searchTurns(db, scope, query, settings);
      return turns;
    },
  };
}

export type EvalSearch = ReturnType<typeof createEvalSearch>;
