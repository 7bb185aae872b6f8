import type { SearchAnswer, SearchMode } from '../contract/passage.ts';
import type { Database } from '../db/database.ts';
import type { EmbeddingModel } from '../embeddings/model.ts';
import { searchDocuments } from '../retrieval/documents.ts';
import type { DocumentFilters } from '../retrieval/passage.ts';
import type { QueryEmbedder } from '../retrieval/query-vector.ts';
import { searchTurns } from '../retrieval/turns.ts';
import type { Scope } from '../scope.ts';
import { storableJson, storableText } from '../text/storable.ts';
import { requireProject } from './projects.ts';

export interface SearchRequest {
  query: string;
  kinds: ('documents' | 'turns')[];
  limit: number;
  mode: SearchMode;
  filters: DocumentFilters;
  explain: boolean;
}

export interface SearchServiceDeps {
  db: Database;
  embeddingModel: EmbeddingModel;
  queryEmbedder: QueryEmbedder;
}

/** Searches a project the way its turns do. */
export function createSearchService({ db, embeddingModel, queryEmbedder }: SearchServiceDeps) {
  return {
    async search(scope: Scope, request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer> {
      const startedAt = performance.now();
      const text = storableText(request.query);
      const [vector] = await Promise.all([
        request.mode === 'lexical' ? null : queryEmbedder.embed(text, signal),
        requireProject(db, scope),
      ]);
      const { mode, explain } = request;
      const { fusionWeight } = queryEmbedder.calibration;
      const query = { text, vector, fusionWeight, mode, explain, limit: request.limit + 1 };
      const documents = request.kinds.includes('documents')
        ? await searchDocuments(db, scope, { ...query, filters: storableJson(request.filters) })
        : null;
      const turns = request.kinds.includes('turns')
        ? await searchTurns(db, scope, { ...query, beforeTurn: null, boostProbe: null })
        : null;
      const passages = (documents?.passages ?? []).slice(0, request.limit);
      const exchanges = (turns?.turns ?? []).slice(0, request.limit);
      return {
        object: 'list',
        // the schema leaves out what only prompts need
        data: [
          ...passages.map((passage) => ({
            object: 'passage' as const,
            kind: 'document' as const,
            ...passage,
          })),
          ...exchanges.map((turn) => ({ object: 'passage' as const, kind: 'turn' as const, ...turn })),
        ],
        strategy: documents?.strategy ?? turns?.strategy ?? mode,
        embedding_model: embeddingModel.id,
        latency_ms: Math.round((performance.now() - startedAt) * 10) / 10,
        has_more:
          (documents?.passages.length ?? 0) > request.limit || (turns?.turns.length ?? 0) > request.limit,
      };
    },
  };
}

export type SearchService = ReturnType<typeof createSearchService>;
