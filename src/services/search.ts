import type { DocumentPassage, SearchAnswer, SearchMode, TurnPassage } from '../contract/passage.ts';
import type { Database } from '../db/database.ts';
import type { EmbeddingModel } from '../embeddings/model.ts';
import { AppError } from '../errors.ts';
import { searchDocuments } from '../retrieval/documents.ts';
import { aboveFloor } from '../retrieval/floor.ts';
import { likeliestFile } from '../retrieval/likeliest-file.ts';
import type { DocumentFilters, Found, Passage, RecalledTurn } from '../retrieval/passage.ts';
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
      const mode = modeOf(request.mode, queryEmbedder);
      const [vector] = await Promise.all([
        mode === 'lexical' ? null : queryEmbedder.embed(text, signal),
        requireProject(db, scope),
      ]);
      const { explain, limit, minScore = retrievalTuning.relevance.floor } = request;
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

/** @throws AppError `embeddings_off` when meaning alone is asked for and nothing knows it */
function modeOf(asked: SearchMode, { mode }: QueryEmbedder): SearchMode {
  if (mode === 'hybrid') return asked;
  if (asked !== 'semantic') return mode;
  throw new AppError('embeddings_off', {
    detail:
      'EMBEDDING_PROVIDER is off: nothing has a vector, so that nothing is found by meaning. Search in the mode "hybrid" or "lexical".',
  });
}

/** What of the first `limit` hits is shown; whether there is more is for the hit behind them to say. */
function shown<Hit extends { score: number }>(found: Found<Hit> | null, limit: number, minScore: number) {
  const hits = found?.hits ?? [];
  return {
    ...aboveFloor(hits.slice(0, limit), minScore),
    considered: found?.considered ?? 0,
    more: (hits[limit]?.score ?? -1) >= minScore,
  };
}

/** A passage as it is shown; the schema leaves out what only prompts need. */
const documentPassage = ({ matched_leaves, ...passage }: Passage): DocumentPassage => ({
  object: 'passage',
  kind: 'document',
  ...passage,
  matched_leaves: matched_leaves.map(({ rank_score, ...leaf }) => ({
    ...leaf,
    // the best leaf has the passage's
    score: passage.rank_score > 0 ? passage.score * (rank_score / passage.rank_score) : passage.score,
  })),
});

const turnPassage = (turn: RecalledTurn): TurnPassage => ({ object: 'passage', kind: 'turn', ...turn });
