import type { Queryable } from '../db/database.ts';
import { letsAllThrough } from '../db/file-filter.ts';
import {
  countVectorsPending,
  type SearchableTotals,
  selectFileIds,
  selectPostingsInFiles,
  selectSearchableTotals,
} from '../db/large-projects.ts';
import { selectLeavesUnder, type Under } from '../db/leaves.ts';
import { selectFilesOutside } from '../db/segments.ts';
import type { Scope } from '../scope.ts';
import { addPostings, createScoring, type FileSums, inContext, type Scoring } from './lexical-scores.ts';
import { countsOf, findLikely, type LargeQuery } from './likely-files.ts';
import type { DocumentFilters } from './passage.ts';
import { findGone } from './segment-files.ts';
import type { RetrievalTuning } from './tuning.ts';
import { type AnalysedQuery, best, keepOnly, sum, type WordRanking } from './word-ranking.ts';

/** Each look finds segments of which more has gone than was known; what it finds is remembered. */
const MOST_LOOKS = 4;

/**
 * Of a large project, in two steps: by the query's rarest words it is found which files may hold the best leaves, and only those are
 * scored by all words. Where few files are asked for, they are scored at once.
 */
export async function rankLarge(
  db: Queryable,
  scope: Scope,
  { terms, languages, limit, filters }: AnalysedQuery,
  tuning: RetrievalTuning['lexical'],
  totals: SearchableTotals,
): Promise<WordRanking> {
  const [vectorsPending, outside, wanted, under] = await Promise.all([
    countVectorsPending(db, scope, filters),
    // before the segments are read: a file that goes into one at this moment is then in both, and not in neither
    selectFilesOutside(db, scope, tuning.large.filesOutside + 1),
    letsAllThrough(filters) ? totals : selectSearchableTotals(db, scope, filters),
    filters.headerPath.length > 0 ? selectLeavesUnder(db, scope, filters.headerPath) : null,
  ]);
  const collection = { ...totals, isOneFile: wanted.files === 1 };
  const query: LargeQuery = { terms, filters, collection, tuning, outside };
  const few = await fewFiles(db, scope, filters, { wanted, under, most: tuning.large.fromLeaves });

  /** Adds the postings of some terms in some files to their sums. */
  async function add(
    scoring: Scoring,
    of: readonly string[],
    fileIds: readonly string[],
    sums: Map<string, FileSums>,
  ) {
    const { rows, files } = await selectPostingsInFiles(db, scope, { terms: of, filter: filters }, fileIds);
    addPostings(scoring, rows, files, sums);
    return files;
  }

  async function rankFew(fileIds: readonly string[]) {
    const counts = await countsOf(db, scope, query);
    const scoring = createScoring(terms, counts, collection, tuning);
    const sums = new Map<string, FileSums>();
    await add(scoring, [...counts.keys()], fileIds, sums);
    const scored = inContext(scoring, sums);
    if (under) keepOnly(scored, under);
    return { ranking: best(scored, limit), counts, scoring };
  }

  async function rankMany(asked: LargeQuery = query, looks = MOST_LOOKS) {
    const { scoring, counts, files, unread, more } = await findLikely(db, scope, asked, limit);
    const sums = new Map<string, FileSums>(files.map((file) => [file.fileId, file]));
    const now = await add(scoring, unread, [...sums.keys()], sums);
    const places = new Map(now.ids.map((id, place) => [id, place]));
    const changed: string[] = [];
    const worn = new Set<string>();
    for (const file of files) {
      const { fileId, from } = file;
      const place = places.get(fileId);
      if (from && (place === undefined || from.revision !== now.revisions[place])) worn.add(from.segmentId);
      // deleted since, or not asked for
      if (place === undefined) sums.delete(fileId);
      else if (from && from.revision !== now.revisions[place]) changed.push(fileId);
      else file.version = now.versions[place] ?? 0;
    }
    if (looks > 0 && worn.size > 0 && (await findGone(db, scope, [...worn]))) {
      // what does not count stood in the place of others; and what was indexed again is outside by now
      const outsideNow = await selectFilesOutside(db, scope, tuning.large.filesOutside + 1);
      return rankMany({ ...query, outside: outsideNow }, looks - 1);
    }
    for (const fileId of changed) sums.delete(fileId);
    if (changed.length > 0) await add(scoring, [...counts.keys()], changed, sums);
    const ranking = best(inContext(scoring, sums), limit);
    return { ranking: { ...ranking, more: ranking.more || more }, counts, scoring };
  }

  const { ranking, counts, scoring } = await (few ? rankFew(few) : rankMany());
  const having = new Map([...counts].map(([term, { leaves }]) => [term, leaves]));
  const sections = under ? sum([...under.values()].map((of) => of.sections)) : wanted.sections;
  return {
    ...ranking,
    ceiling: scoring.ceiling,
    counts: { texts: totals.leaves, having },
    languages,
    respelled: [],
    sections,
    vectorsPending,
  };
}

/** The ids of the files that are asked for, where those are few; null: they are many, or all. */
async function fewFiles(
  db: Queryable,
  scope: Scope,
  filters: DocumentFilters,
  {
    wanted,
    under,
    most,
  }: { wanted: SearchableTotals; under: ReadonlyMap<string, Under> | null; most: number },
): Promise<string[] | null> {
  if (under) return [...under.keys()];
  if (letsAllThrough(filters) || wanted.leaves > most) return null;
  return selectFileIds(db, scope, filters);
}
