import type { Queryable } from '../db/database.ts';
import { selectLanguages } from '../db/languages.ts';
import { selectLeavesUnder, type Under } from '../db/leaves.ts';
import { type SearchableFiles, selectPostings } from '../db/postings-search.ts';
import type { Scope } from '../scope.ts';
import { analyseQuery, lookedUp } from '../text/asked-terms.ts';
import { languagesOf, rememberLanguages, totalsOf } from './known-projects.ts';
import { rankLarge } from './lexical-large.ts';
import { scoreFiles } from './lexical-scores.ts';
import { respell, withRespelled } from './respell.ts';
import { type RetrievalTuning, retrievalTuning } from './tuning.ts';
import { type AnalysedQuery, best, keepOnly, sum, type WordQuery, type WordRanking } from './word-ranking.ts';

/** How many sections of the project the filters let through. */
function countSections(
  { ids, sections, wanted }: SearchableFiles,
  under: ReadonlyMap<string, Under> | null,
): number {
  const ofFile = (id: string, place: number): number =>
    under ? (under.get(id)?.sections ?? 0) : (sections[place] ?? 0);
  return ids.reduce((total, id, place) => total + (wanted[place] ? ofFile(id, place) : 0), 0);
}

/**
 * The leaves of a project that have words of the query, by BM25 over the project's leaves with the context of each leaf
 * added (`addContext`). Filters are applied before the cut.
 */
export async function rankByWords(
  db: Queryable,
  scope: Scope,
  query: WordQuery,
  tuning: RetrievalTuning['lexical'] = retrievalTuning.lexical,
): Promise<WordRanking> {
  const totals = await totalsOf(db, scope);
  const isLarge = totals.leaves >= tuning.large.fromLeaves;
  // of a large project the postings are not read with all of its files, which say what languages there are
  const languages = await (isLarge ? selectLanguages(db, scope, 'files') : languagesOf(db, scope));
  const rank = (terms: AnalysedQuery['terms']): Promise<WordRanking> => {
    const analysed = { ...query, languages, terms };
    return isLarge ? rankLarge(db, scope, analysed, tuning, totals) : rankAtOnce(db, scope, analysed, tuning);
  };
  const terms = analyseQuery(query.text, languages);
  const ranking = await rank(terms);
  if (ranking.languages.some((language) => !languages.includes(language))) {
    // a file in another language has come since
    await rememberLanguages(db, scope, ranking.languages);
    return rankByWords(db, scope, query, tuning);
  }
  const respelled = await respell(db, scope, terms, ranking.counts.having, tuning.respelling);
  if (respelled.length === 0) return ranking;
  return { ...(await rank(withRespelled(terms, respelled, tuning.respelling.share))), respelled };
}

/** Of a project whose files and postings can be read together. */
async function rankAtOnce(
  db: Queryable,
  scope: Scope,
  { terms, languages, limit, filters }: AnalysedQuery,
  tuning: RetrievalTuning['lexical'],
): Promise<WordRanking> {
  const [postings, under] = await Promise.all([
    selectPostings(db, scope, { terms: lookedUp(terms), filter: filters, limit: tuning.mostPostings }),
    filters.headerPath.length > 0 ? selectLeavesUnder(db, scope, filters.headerPath) : null,
  ]);
  if (!postings) {
    const counts = { texts: 0, having: new Map() };
    return {
      ...{
        hits: [],
        more: false,
        ceiling: 1,
        counts,
        languages,
        respelled: [],
        sections: 0,
        vectorsPending: 0,
      },
    };
  }
  const { rows, files, having } = postings;
  const { scored, ceiling } = scoreFiles(rows, files, terms, tuning);
  if (under) keepOnly(scored, under);
  const texts = sum(files.leaves);
  const sections = countSections(files, under);
  const { vectorsPending } = files;
  return {
    ...best(scored, limit),
    ceiling,
    counts: { texts, having },
    languages: files.languages,
    respelled: [],
    sections,
    vectorsPending,
  };
}
