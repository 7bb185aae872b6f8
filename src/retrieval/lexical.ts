import type { Queryable } from '../db/database.ts';
import type { LeafHit } from '../db/leaf-hit.ts';
import { selectLeavesUnder, type Under } from '../db/leaves.ts';
import { type SearchableFiles, selectPostings } from '../db/postings-search.ts';
import type { Scope } from '../scope.ts';
import { analyseQuery } from '../text/terms.ts';
import type { TermCounts } from './asked-words.ts';
import type { LeafRanking } from './leaf-hit.ts';
import { type FileScores, scoreFiles } from './lexical-scores.ts';
import type { DocumentFilters } from './passage.ts';
import { type RetrievalTuning, retrievalTuning } from './tuning.ts';

/**
 * Postings that a query reads at most: some milliseconds of scoring. Its rarest terms come first, whatever they have;
 * common words, which say little anyway, are left out of large projects.
 */
const MAX_POSTINGS = 200_000;

const byName = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The `limit` best, best first; ties by file and position, so that the same question has the same answer. */
function best(files: readonly FileScores[], limit: number): LeafRanking {
  const scores = new Float64Array(files.reduce((total, file) => total + file.scores.length, 0));
  let found = 0;
  for (const file of files) for (const score of file.scores) if (score > 0) scores[found++] = score;
  const least = scores.subarray(0, found).sort()[Math.max(0, found - limit)] ?? Number.POSITIVE_INFINITY;
  const hits: LeafHit[] = [];
  for (const { fileId, version, scores: ofFile } of files) {
    for (const [leafIndex, score] of ofFile.entries()) {
      if (score >= least) hits.push({ fileId, version, leafIndex, score });
    }
  }
  hits.sort((a, b) => b.score - a.score || byName(a.fileId, b.fileId) || a.leafIndex - b.leafIndex);
  return { hits: hits.slice(0, limit), more: found > limit };
}

/** Takes the score of every leaf that is not under the headings asked for. */
function keepOnly(files: readonly FileScores[], under: ReadonlyMap<string, Under>): void {
  for (const { fileId, scores } of files) {
    const allowed = under.get(fileId)?.leafIndexes;
    scores.forEach((_, leafIndex) => {
      if (!allowed?.has(leafIndex)) scores[leafIndex] = 0;
    });
  }
}

/** How many sections of the project the filters let through. */
function countSections(
  { ids, sections, wanted }: SearchableFiles,
  under: ReadonlyMap<string, Under> | null,
): number {
  const ofFile = (id: string, place: number): number =>
    under ? (under.get(id)?.sections ?? 0) : (sections[place] ?? 0);
  return ids.reduce((total, id, place) => total + (wanted[place] ? ofFile(id, place) : 0), 0);
}

/** A ranking by words, with what the statement that it took knows of the project. */
export interface WordRanking extends LeafRanking {
  /** The score that a leaf full of every word of the query would come near to. */
  ceiling: number;
  /** How many leaves of the project have each term of the query. */
  counts: TermCounts;
  /** Sections that were searched. */
  sections: number;
  /** Leaves of the files searched that have no vector yet. */
  vectorsPending: number;
}

/**
 * The leaves of a project that have words of the query, by BM25 over the project's leaves with the context of each leaf
 * added (`addContext`). Filters are applied before the cut.
 */
export async function rankByWords(
  db: Queryable,
  scope: Scope,
  query: { text: string; limit: number; filters: DocumentFilters },
  tuning: RetrievalTuning['lexical'] = retrievalTuning.lexical,
): Promise<WordRanking> {
  const terms = analyseQuery(query.text);
  const { filters } = query;
  const [postings, under] = await Promise.all([
    selectPostings(db, scope, { terms: [...terms.keys()], filter: filters, limit: MAX_POSTINGS }),
    filters.headerPath.length > 0 ? selectLeavesUnder(db, scope, filters.headerPath) : null,
  ]);
  if (!postings) {
    const counts = { texts: 0, having: new Map() };
    return { hits: [], more: false, ceiling: 1, counts, sections: 0, vectorsPending: 0 };
  }
  const { rows, files, having } = postings;
  const { scored, ceiling } = scoreFiles(rows, files, terms, tuning);
  if (under) keepOnly(scored, under);
  const texts = files.leaves.reduce((total, leaves) => total + leaves, 0);
  const sections = countSections(files, under);
  const { vectorsPending } = files;
  return { ...best(scored, query.limit), ceiling, counts: { texts, having }, sections, vectorsPending };
}
