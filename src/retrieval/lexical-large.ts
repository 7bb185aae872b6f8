import type { Queryable } from '../db/database.ts';
import { letsAllThrough } from '../db/file-filter.ts';
import {
  countVectorsPending,
  type PartOfPostings,
  type SearchableTotals,
  selectFileIds,
  selectPostingsInFiles,
  selectPostingsOfTerms,
  selectSearchableTotals,
  type TermCount,
} from '../db/large-projects.ts';
import { selectLeavesUnder, type Under } from '../db/leaves.ts';
import type { PostingsRow, SearchableFiles } from '../db/postings-search.ts';
import type { Scope } from '../scope.ts';
import { analyseQuery } from '../text/terms.ts';
import { termCounts } from './known-projects.ts';
import type { LeafRanking } from './leaf-hit.ts';
import { scoreFiles } from './lexical-scores.ts';
import type { DocumentFilters } from './passage.ts';
import type { RetrievalTuning } from './tuning.ts';
import { best, byName, keepOnly, sum, type WordQuery, type WordRanking } from './word-ranking.ts';

/**
 * Of a large project, in two steps: the postings of the query's rarest words say which files may hold the best leaves, and only
 * those are scored by all words. Where few files are asked for, they are scored at once.
 */
export async function rankLarge(
  db: Queryable,
  scope: Scope,
  { text, limit, filters }: WordQuery,
  tuning: RetrievalTuning['lexical'],
  totals: SearchableTotals,
): Promise<WordRanking> {
  const terms = analyseQuery(text);
  const [vectorsPending, counts, wanted, under] = await Promise.all([
    countVectorsPending(db, scope, filters),
    termCounts(db, scope, [...terms.keys()]),
    letsAllThrough(filters) ? totals : selectSearchableTotals(db, scope, filters),
    filters.headerPath.length > 0 ? selectLeavesUnder(db, scope, filters.headerPath) : null,
  ]);
  const collection = { ...totals, isOneFile: wanted.files === 1 };
  const score = (parts: readonly PartOfPostings[], files: SearchableFiles) => {
    const scores = scoreFiles(rowsOf(parts, counts), files, terms, tuning, collection);
    if (under) keepOnly(scores.scored, under);
    return scores;
  };
  const inFiles = (of: readonly string[], fileIds: readonly string[]) =>
    selectPostingsInFiles(db, scope, { terms: of, filter: filters }, fileIds);

  async function rank(): Promise<LeafRanking & { ceiling: number }> {
    const few = await fewFiles(db, scope, filters, { wanted, under, most: tuning.large.fromLeaves });
    if (few) {
      const all = await inFiles([...counts.keys()], few);
      const { scored, ceiling } = score([all], all.files);
      return { ...best(scored, limit), ceiling };
    }
    const { rareShare, rarePostings } = tuning.large;
    let [rare, common] = splitTerms(counts, Math.max(rarePostings, rareShare * totals.leaves));
    for (;;) {
      const query = { terms: rare, filter: filters };
      const first = await selectPostingsOfTerms(db, scope, query, tuning.large.rareLists);
      const rough = best(score([first], first.files).scored, Math.max(limit, tuning.large.likelyLeaves));
      const [next, ...others] = common;
      if (next === undefined || rough.hits.length >= limit) {
        const second = await inFiles(common, [...new Set(rough.hits.map(({ fileId }) => fileId))]);
        const { scored, ceiling } = score([first, second], second.files);
        const ranking = best(scored, limit);
        return { ...ranking, more: ranking.more || rough.more, ceiling };
      }
      // too few leaves have the rarest
      rare = [...rare, next];
      common = others;
    }
  }

  const having = new Map([...counts].map(([term, { leaves }]) => [term, leaves]));
  const sections = under ? sum([...under.values()].map((of) => of.sections)) : wanted.sections;
  return { ...(await rank()), counts: { texts: totals.leaves, having }, sections, vectorsPending };
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

/** Each of the terms with its postings, if only with its counts. */
function rowsOf(parts: readonly PartOfPostings[], counts: ReadonlyMap<string, TermCount>): PostingsRow[] {
  const read = parts.flatMap(({ rows }) => rows);
  const terms = new Set(read.map(({ term }) => term));
  const unread = [...counts.keys()].filter((term) => !terms.has(term));
  const none = unread.map((term) => ({ term, files: [], counts: [], packed: new Uint8Array() }));
  return [...read, ...none].map((row) => {
    const { leaves = 0, files = 0 } = counts.get(row.term) ?? {};
    return { ...row, df: leaves, file_df: files };
  });
}

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
