import type { Queryable } from '../db/database.ts';
import { letsAllThrough } from '../db/file-filter.ts';
import {
  selectFileIds,
  selectPostingsInFiles,
  selectPostingsOfTerms,
  type TermCount,
} from '../db/large-projects.ts';
import { selectSegmentPostings } from '../db/segments.ts';
import type { Scope } from '../scope.ts';
import { type AskedTerm, lookedUp } from '../text/asked-terms.ts';
import { termCounts } from './known-projects.ts';
import {
  addPostings,
  type Collection,
  createScoring,
  type FileSums,
  inContext,
  type Scoring,
} from './lexical-scores.ts';
import { type LikelyFile, likelyFiles } from './lexical-segments.ts';
import type { DocumentFilters } from './passage.ts';
import { segmentsOf } from './segment-files.ts';
import type { RetrievalTuning } from './tuning.ts';
import { best, byName } from './word-ranking.ts';

/** A query of a large project. */
export interface LargeQuery {
  /** In the languages of the project's files. */
  terms: readonly AskedTerm[];
  filters: DocumentFilters;
  collection: Collection;
  tuning: RetrievalTuning['lexical'];
  /** Searchable files in no segment, or so many of them that segments are no help yet. */
  outside: readonly string[];
}

/** Files that may have the best leaves, by some of the terms. */
export interface Likely {
  scoring: Scoring;
  counts: ReadonlyMap<string, TermCount>;
  files: LikelyFile[];
  /** Terms that they are to be scored by yet. */
  unread: string[];
  /** There are leaves with words of the query in other files. */
  more: boolean;
}

const isBehind = ({ outside, tuning }: LargeQuery): boolean => outside.length > tuning.large.filesOutside;

const NO_FILTER = { filenames: [], mediaTypes: [] };

/** The postings of the segments within a budget, those of all files outside of them, and the counts of both together. */
async function readSegments(db: Queryable, scope: Scope, query: LargeQuery, mostPostings: number) {
  const terms = lookedUp(query.terms);
  const [{ lists, counts: inSegments }, outside] = await Promise.all([
    selectSegmentPostings(db, scope, terms, mostPostings),
    selectPostingsInFiles(db, scope, { terms, filter: NO_FILTER }, query.outside),
  ]);
  const counts = new Map(inSegments);
  for (const { term, files, counts: leaves } of outside.rows) {
    const before = counts.get(term) ?? { leaves: 0, files: 0 };
    counts.set(term, {
      leaves: leaves.reduce((sum, count) => sum + count, before.leaves),
      files: before.files + files.length,
    });
  }
  const read = new Set(lists.map(({ term }) => term));
  return { lists, outside, counts, unread: [...inSegments.keys()].filter((term) => !read.has(term)) };
}

/** How many leaves and files of the project have each of the terms. */
export const countsOf = async (
  db: Queryable,
  scope: Scope,
  query: LargeQuery,
): Promise<ReadonlyMap<string, TermCount>> =>
  isBehind(query)
    ? termCounts(db, scope, lookedUp(query.terms))
    : (await readSegments(db, scope, query, 0)).counts;

/**
 * By the project's segments.
 *
 * @returns null where they are no help: too many files are outside of them, or one was replaced at this moment
 */
async function findInSegments(
  db: Queryable,
  scope: Scope,
  query: LargeQuery,
  atLeast: number,
): Promise<Likely | null> {
  if (isBehind(query)) return null;
  const { terms, filters, collection, tuning } = query;
  const { segmentPostings, segmentShare, likelyLeaves } = tuning.large;
  const most = Math.max(atLeast, likelyLeaves);
  const budget = Math.max(segmentPostings, segmentShare * collection.leaves);
  const wanted = letsAllThrough(filters) ? null : new Set(await selectFileIds(db, scope, filters));
  const ofOutside = new Set(query.outside);
  const isOutside = (fileId: string): boolean => ofOutside.has(fileId);
  for (let mostPostings = Math.round(budget); ; mostPostings *= WIDER) {
    const { lists, outside, counts, unread } = await readSegments(db, scope, query, mostPostings);
    const segments = await segmentsOf(db, scope, [...new Set(lists.map(({ segmentId }) => segmentId))]);
    if (!segments) return null;
    const scoring = createScoring(terms, counts, collection, tuning);
    const loose = new Map<string, FileSums>();
    const read = outside.rows.filter(({ term }) => !unread.includes(term));
    const isWanted = outside.files.ids.map((id) => wanted?.has(id) ?? true);
    addPostings(scoring, read, { ...outside.files, wanted: isWanted }, loose);
    const likely = likelyFiles(scoring, { lists, segments, outside: loose, isOutside, wanted, most });
    // else: too few leaves have the rarest terms
    if (unread.length === 0 || likely.leaves >= atLeast) return { scoring, counts, unread, ...likely };
  }
}
const WIDER = 10;

/** By the postings of each file: those of the rarest terms. */
async function findInFiles(
  db: Queryable,
  scope: Scope,
  { terms, filters, collection, tuning }: LargeQuery,
  atLeast: number,
): Promise<Likely> {
  const counts = await termCounts(db, scope, lookedUp(terms));
  const scoring = createScoring(terms, counts, collection, tuning);
  const { rareShare, rarePostings, rareLists, likelyWithoutSegments } = tuning.large;
  const most = Math.max(atLeast, likelyWithoutSegments);
  let [rare, unread] = splitTerms(counts, Math.max(rarePostings, rareShare * collection.leaves));
  for (;;) {
    const first = await selectPostingsOfTerms(db, scope, { terms: rare, filter: filters }, rareLists);
    const sums = new Map<string, FileSums>();
    addPostings(scoring, first.rows, first.files, sums);
    const rough = best(inContext(scoring, sums), most);
    const [next, ...others] = unread;
    if (next === undefined || rough.hits.length >= atLeast) {
      const ids = new Set(rough.hits.map(({ fileId }) => fileId));
      const files = [...ids].flatMap((id) => sums.get(id) ?? []).map((file) => ({ ...file, from: null }));
      return { scoring, counts, files, unread, more: rough.more };
    }
    // too few leaves have the rarest
    rare = [...rare, next];
    unread = others;
  }
}

/**
 * The files that may have the best leaves of a large project.
 *
 * @param atLeast leaves that are to be found, if there are so many
 */
export const findLikely = async (
  db: Queryable,
  scope: Scope,
  query: LargeQuery,
  atLeast: number,
): Promise<Likely> =>
  (await findInSegments(db, scope, query, atLeast)) ?? (await findInFiles(db, scope, query, atLeast));

/** The query's terms, the rarest apart: so many that they have few postings together, and one at least. */
function splitTerms(
  counts: ReadonlyMap<string, TermCount>,
  most: number,
): [rare: string[], common: string[]] {
  const byCount = [...counts].sort(([a, one], [b, other]) => one.leaves - other.leaves || byName(a, b));
  let postings = 0;
  const end = byCount.findIndex(([, { leaves }], index) => {
    postings += leaves;
    return index > 0 && postings > most;
  });
  const names = byCount.map(([term]) => term);
  return end === -1 ? [names, []] : [names.slice(0, end), names.slice(end)];
}
