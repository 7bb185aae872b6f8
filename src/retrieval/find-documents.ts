import type { RerankReport } from '../contract/passage.ts';
import type { Queryable } from '../db/database.ts';
import type { Scope, Source } from '../scope.ts';
import type { DocumentQuery } from './documents.ts';
import { keepPlaces } from './merge-sources.ts';
import type { Found, FoundPassage, FoundSections } from './passage.ts';
import type { OnQuerySpent } from './query-spending.ts';
import type { Reranker } from './rerank.ts';
import { searchSources } from './search-sources.ts';
import { retrievalTuning } from './tuning.ts';

/** Passages, and what became of their order. */
export interface FoundDocuments
  extends Found<FoundPassage>,
    Pick<FoundSections, 'vectorsPending' | 'reading'> {
  /** Null: no reranker was asked for, or there was nothing to order. */
  rerank: RerankReport | null;
}

/** What a search has found, to be ordered or to be used as it is. */
export interface Candidates extends FoundSections {
  /** What was searched for. */
  text: string;
  /** Passages wanted of each source. */
  limit: number;
}

/** How a reranker is asked. */
export interface Ordering {
  /** Null: the order of the search is what counts, and nothing more is done. */
  reranker: Reranker | null;
  signal?: AbortSignal | undefined;
  onSpent?: OnQuerySpent | undefined;
}

/**
 * Searches the documents of a project, of the library, or of both: as many passages of each as a reranker reads, if there is
 * one.
 */
export async function findCandidates(
  db: Queryable,
  scope: Scope,
  sources: readonly Source[],
  query: DocumentQuery,
  reranker: Reranker | null,
): Promise<Candidates> {
  const { text, limit } = query;
  const wide = Math.max(limit, reranker?.candidates ?? 0);
  const found = await searchSources(db, scope, sources, { ...query, limit: wide });
  return { ...found, text, limit };
}

/**
 * Has a reranker put what was found into its order: one call for project and library, as they are read together. Without its
 * answer they stay in the order of the search.
 *
 * @returns up to `limit` passages of each source in one ranking
 */
export async function orderCandidates(
  { text, limit, hits: found, considered, strategy, vectorsPending, reading }: Candidates,
  { reranker, ...options }: Ordering,
): Promise<FoundDocuments> {
  if (!reranker) return { hits: found, considered, vectorsPending, reading, strategy, rerank: null };
  // what is read is chosen as what is shown is: a large library leaves room for the project
  const ranked = keepPlaces(found, reranker.candidates, retrievalTuning.relevance.floor);
  const { hits, report } = await reranker.rerank(text, ranked, options);
  const isReranked = report?.outcome === 'done';
  return {
    hits: firstOfEach(isReranked ? hits : found, limit),
    considered,
    vectorsPending,
    reading,
    strategy: isReranked ? `${strategy}+rerank` : strategy,
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
