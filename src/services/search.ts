import type { DocumentPassage, Ranking, SearchAnswer, SearchMode, TurnPassage } from '../contract/passage.ts';
import type { Database } from '../db/database.ts';
import type { EmbeddingModel } from '../embeddings/model.ts';
import { searchDocuments } from '../retrieval/documents.ts';
import type { DocumentFilters, LeafExplanation, Passage, RecalledTurn } from '../retrieval/passage.ts';
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
      const passages = (documents?.passages ?? []).slice(0, request.limit).map(documentPassage);
      const exchanges = (turns?.turns ?? []).slice(0, request.limit).map(turnPassage);
      return {
        object: 'list',
        data: [...passages, ...exchanges],
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

const ranking = (explanation: Omit<LeafExplanation, 'leafId'>): Ranking => ({
  dense_rank: explanation.denseRank,
  dense_score: explanation.denseScore,
  lexical_rank: explanation.lexicalRank,
  lexical_score: explanation.lexicalScore,
  fused_score: explanation.fusedScore,
});

const documentPassage = (passage: Passage): DocumentPassage => ({
  object: 'passage',
  kind: 'document',
  text: passage.text,
  context_header: passage.contextHeader,
  filename: passage.filename,
  media_type: passage.mediaType,
  version: passage.version,
  header_path: passage.headerPath,
  page: passage.page,
  score: passage.score,
  parent_id: passage.parentId,
  char_start: passage.charStart,
  char_end: passage.charEnd,
  matched_leaves: passage.matchedLeaves.map((leaf) => ({
    leaf_id: leaf.leafId,
    score: leaf.score,
    char_start: leaf.charStart,
    char_end: leaf.charEnd,
  })),
  explain: passage.explain && {
    promoted_by: passage.explain.promotedBy,
    leaves: passage.explain.leaves.map((leaf) => ({ leaf_id: leaf.leafId, ...ranking(leaf) })),
  },
});

const turnPassage = (turn: RecalledTurn): TurnPassage => ({
  object: 'passage',
  kind: 'turn',
  turn_number: turn.turnNumber,
  status: turn.status,
  probe: turn.probe,
  message: turn.message,
  response: turn.response,
  summary: turn.summary,
  score: turn.score,
  explain: turn.explain && ranking(turn.explain),
});
