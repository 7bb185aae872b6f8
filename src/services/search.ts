import type { DocumentPassage, SearchAnswer, SearchMode, TurnPassage } from '../contract/passage.ts';
import type { Database } from '../db/database.ts';
import type { SearchDatabase } from '../db/search-database.ts';
import type { EmbeddingModel } from '../embeddings/model.ts';
import { AppError } from '../errors.ts';
import { aboveFloor } from '../retrieval/floor.ts';
import { likeliestFile } from '../retrieval/likeliest-file.ts';
import type { DocumentFilters, Found, Passage, RecalledTurn } from '../retrieval/passage.ts';
import type { QuerySpent } from '../retrieval/query-spending.ts';
import type { QueryEmbedder } from '../retrieval/query-vector.ts';
import { NOTHING_READ } from '../retrieval/reading.ts';
import type { Reranker } from '../retrieval/rerank.ts';
import { retrievalTuning } from '../retrieval/tuning.ts';
import { searchTurns } from '../retrieval/turns.ts';
import type { Scope, Source } from '../scope.ts';
import { storableJson, storableText } from '../text/storable.ts';
import { findDistinct, givePlaces } from './distinct-documents.ts';
import { emptyLibraryNote } from './empty-library.ts';
import { requirePlace } from './places.ts';
import type { QueryUsage } from './query-usage.ts';

export interface SearchRequest {
  query: string;
  kinds: ('documents' | 'turns')[];
  /** Where documents are looked for. */
  sources: Source[];
  limit: number;
  /** The least confidence of a passage, 0 to 1; undefined: the floor. */
  minScore: number | undefined;
  mode: SearchMode;
  filters: DocumentFilters;
  explain: boolean;
  /** Whether a reranker, where there is one, orders the passages of documents. */
  rerank: boolean;
}

export interface SearchServiceDeps {
  db: Database;
  searchDb: SearchDatabase;
  embeddingModel: EmbeddingModel;
  queryEmbedder: QueryEmbedder;
  /** Null: there is none. */
  reranker: Reranker | null;
  queryUsage: QueryUsage;
  /** Told how long a search took, once the question had its vector. */
  onSearched?: (seconds: number) => void;
}

/** Searches a project the way its turns do, and the library. */
export function createSearchService(deps: SearchServiceDeps) {
  const { db, searchDb, embeddingModel, queryEmbedder, reranker, queryUsage, onSearched } = deps;
  return {
    async search(scope: Scope, request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer> {
      const startedAt = performance.now();
      const text = storableText(request.query);
      const mode = modeOf(request.mode, queryEmbedder);
      const onSpent = (spent: QuerySpent) => queryUsage.add(scope, spent);
      const [vector, reading] = await Promise.all([
        mode === 'lexical' ? null : queryEmbedder.embed(text, signal, onSpent),
        searchDb.current(),
        requirePlace(db, scope),
      ]);
      const from = performance.now();
      const { explain, limit, minScore = retrievalTuning.relevance.floor } = request;
      const { calibration } = queryEmbedder;
      const query = { text, vector, calibration, mode, explain, limit: limit + 1 };
      const documents = request.kinds.includes('documents')
        ? await findDistinct(
            reading,
            scope,
            request.sources,
            { ...query, filters: storableJson(request.filters) },
            { reranker: request.rerank ? reranker : null, signal, onSpent },
          )
        : null;
      const turns = request.kinds.includes('turns')
        ? await searchTurns(reading, scope, { ...query, beforeTurn: null, boostProbe: null })
        : null;
      onSearched?.((performance.now() - from) / 1_000);
      const placed = documents && givePlaces(documents, limit, minScore);
      const passages = shown(documents && placed && { ...documents, hits: placed.hits }, limit, minScore);
      const exchanges = shown(turns, limit, minScore);
      return {
        object: 'list',
        data: [
          ...passages.hits.map((hit) =>
            documentPassage(hit, {
              copies: documents?.copies.get(hit.parent_id) ?? [],
              isMoved: placed?.moved.has(hit.parent_id) ?? false,
            }),
          ),
          ...exchanges.hits.map(turnPassage),
        ],
        min_score: minScore,
        considered: passages.considered + exchanges.considered,
        below_floor: passages.belowFloor + exchanges.belowFloor,
        likeliest_file: likeliestFile(documents?.hits ?? []),
        strategy: documents?.strategy ?? turns?.strategy ?? mode,
        vectors_pending: documents?.vectorsPending ?? 0,
        rerank: documents?.rerank ?? null,
        reading: documents?.reading ?? NOTHING_READ,
        embedding_model: embeddingModel.id,
        latency_ms: Math.round((performance.now() - startedAt) * 10) / 10,
        has_more: passages.more || exchanges.more,
        detail: documents && (await emptyLibraryNote(reading, scope, request.sources, documents.hits)),
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

/** What of the first `limit` hits is shown; whether there is more is for those behind them to say. */
function shown<Hit extends { score: number }>(found: Found<Hit> | null, limit: number, minScore: number) {
  const hits = found?.hits ?? [];
  return {
    ...aboveFloor(hits.slice(0, limit), minScore),
    considered: found?.considered ?? 0,
    more: hits.slice(limit).some(({ score }) => score >= minScore),
  };
}

/** A passage as it is shown; the schema leaves out what only prompts need. */
function documentPassage(
  { matched_leaves: leaves, explain, ...passage }: Passage,
  { copies, isMoved }: { copies: readonly Passage[]; isMoved: boolean },
): DocumentPassage {
  const best = leaves[0]?.rank_score ?? 0;
  return {
    object: 'passage',
    kind: 'document',
    ...passage,
    also_in: copies.map(placeOf),
    explain: explain && { ...explain, for_breadth: isMoved },
    matched_leaves: leaves.map(({ rank_score, ...leaf }) => ({
      ...leaf,
      // the best leaf has the passage's
      score: best > 0 ? passage.score * (rank_score / best) : passage.score,
    })),
  };
}

/** Where a passage stands. */
function placeOf(passage: Passage): DocumentPassage['also_in'][number] {
  const { source, filename, version, header_path, page, parent_id, char_start, char_end } = passage;
  return { source, filename, version, header_path, page, parent_id, char_start, char_end };
}

const turnPassage = (turn: RecalledTurn): TurnPassage => ({ object: 'passage', kind: 'turn', ...turn });
