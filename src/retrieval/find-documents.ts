import type { RerankReport } from '../contract/passage.ts';
import type { Queryable } from '../db/database.ts';
import type { Scope, Source } from '../scope.ts';
import type { DocumentQuery } from './documents.ts';
import { keepPlaces } from './merge-sources.ts';
import type { Found, FoundPassage } from './passage.ts';
import type { OnQuerySpent } from './query-spending.ts';
import type { Reranker } from './rerank.ts';
import { searchSources } from './search-sources.ts';
import { retrievalTuning } from './tuning.ts';

/** Passages, and what became of their order. */
export interface FoundDocuments extends Found<FoundPassage> {
  /** Null: no reranker was asked for, or there was nothing to order. */
  rerank: RerankReport | null;
}

/**
 * Searches the documents of a project, of the library, or of both, and has a reranker put what was found into its order: one
 * call for both, as they are read together. Each source gives as many passages as the reranker reads then; without its
 * answer they stay in the order of the search.
 *
 * @param options.reranker null: the order of the search is what counts, and nothing more is done
 * @returns up to `limit` passages of each source in one ranking, as `searchSources`
 */
export async function findDocuments(
  db: Queryable,
  scope: Scope,
  sources: readonly Source[],
  query: DocumentQuery,
  {
    reranker,
    ...options
  }: {
    reranker: Reranker | null;
    signal?: AbortSignal | undefined;
    onSpent?: OnQuerySpent | undefined;
  },
): Promise<FoundDocuments> {
  if (!reranker) return { ...(await searchSources(db, scope, sources, query)), rerank: null };
  const { candidates } = reranker;
  const limit = Math.max(query.limit, candidates);
  const found = await searchSources(db, scope, sources, { ...query, limit });
  // what is read is chosen as what is shown is: a large library leaves room for the project
  const ranked = keepPlaces(found.hits, candidates, retrievalTuning.relevance.floor);
  const { hits, report } = await reranker.rerank(query.text, ranked, options);
  const isReranked = report?.outcome === 'done';
  return {
    hits: firstOfEach(isReranked ? hits : found.hits, query.limit),
    considered: found.considered,
    strategy: isReranked ? `${found.strategy}+rerank` : found.strategy,
    rerank: report,
  };
}

/** The first passages of each source, in their order. */
function firstOfEach(hits: readonly FoundPassage[], limit: number): FoundPassage[] {
  const counts = { project: 0, library: 0 };
  return hits.filter(({ source }) => {
    counts[source] += 1;
    return counts[source] <= limit;
  });
}
