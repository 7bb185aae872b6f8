import type { DocumentPassage, Ranking, SearchAnswer, SearchMode, TurnPassage } from '../contract/passage.ts';
import type { Database } from '../db/database.ts';
import type { EmbeddingModel } from '../embeddings/model.ts';
import { searchDocuments } from '../retrieval/documents.ts';
import { aboveFloor } from '../retrieval/floor.ts';
import { likeliestFile } from '../retrieval/likeliest-file.ts';
import type { DocumentFilters, Found, LeafExplanation, Passage, RecalledTurn } from '../retrieval/passage.ts';
import type { QueryEmbedder } from '../retrieval/query-vector.ts';
import { retrievalTuning } from '../retrieval/tuning.ts';
import { searchTurns } from '../retrieval/turns.ts';
import type { Scope } from '../scope.ts';
import { storableJson, storableText } from '../text/storable.ts';
import { requireProject } from './projects.ts';

export interface SearchRequest {
  query: string;
  kinds: ('documents' | 'turns')[];
  limit: number;
  /** The least confidence of a passage, 0 to 1; undefined: the floor. */
  minScore: number | undefined;
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
      const { mode, explain, limit, minScore = retrievalTuning.relevance.floor } = request;
      const { calibration } = queryEmbedder;
      const query = { text, vector, calibration, mode, explain, limit: limit + 1 };
      const documents = request.kinds.includes('documents')
        ? await searchDocuments(db, scope, { ...query, filters: storableJson(request.filters) })
        : null;
      const turns = request.kinds.includes('turns')
        ? await searchTurns(db, scope, { ...query, beforeTurn: null, boostProbe: null })
        : null;
      const passages = shown(documents, limit, minScore);
      const exchanges = shown(turns, limit, minScore);
      return {
        object: 'list',
        data: [...passages.hits.map(documentPassage), ...exchanges.hits.map(turnPassage)],
        min_score: minScore,
        considered: passages.considered + exchanges.considered,
        below_floor: passages.belowFloor + exchanges.belowFloor,
        likeliest_file: likeliestFile(documents?.hits ?? []),
        strategy: documents?.strategy ?? turns?.strategy ?? mode,
        embedding_model: embeddingModel.id,
        latency_ms: Math.round((performance.now() - startedAt) * 10) / 10,
        has_more: passages.more || exchanges.more,
      };
    },
  };
}

export type SearchService = ReturnType<typeof createSearchService>;

/** What of the first `limit` hits is shown; whether there is more is for the hit behind them to say. */
function shown<Hit extends { score: number }>(found: Found<Hit> | null, limit: number, minScore: number) {
  const hits = found?.hits ?? [];
  return {
    ...aboveFloor(hits.slice(0, limit), minScore),
    considered: found?.considered ?? 0,
    more: (hits[limit]?.score ?? -1) >= minScore,
  };
}

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
    // the best leaf has the passage's
    score: passage.rankScore > 0 ? passage.score * (leaf.rankScore / passage.rankScore) : passage.score,
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
