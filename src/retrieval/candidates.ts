import type { Queryable } from '../db/database.ts';
import { letsAllThrough } from '../db/file-filter.ts';
import { selectSearchableTotals } from '../db/large-projects.ts';
import type { LeafHit } from '../db/leaf-hit.ts';
import { selectNearestByIndex, selectNearestLeaves } from '../db/nearest-leaves.ts';
import { LEAST_INDEXED } from '../db/vector-indexes.ts';
import type { Scope } from '../scope.ts';
import { type CombinedHit, combineRankings, type RankedKey } from './combine.ts';
import { isIndexed, totalsOf } from './known-projects.ts';
import { type LeafRanking, leafKey } from './leaf-hit.ts';
import { rankByWords } from './lexical.ts';
import type { DocumentFilters } from './passage.ts';
import { type FoundPhrases, findPhrases, preferQuoted } from './quoted-phrases.ts';
import { type RetrievalTuning, retrievalTuning } from './tuning.ts';
import type { WordRanking } from './word-ranking.ts';

/** A leaf that may be an answer, with its place in each ranking and its final score. */
export type Candidate = LeafHit & CombinedHit;

interface LeafQuery {
  text: string;
  /** Null: do not go by vectors. It may be on its way still: the words are looked up meanwhile. */
  vector: Float32Array | null | Promise<Float32Array | null>;
  /** What vectors count against words, which count 1: their model's. */
  fusionWeight: number;
  /** Whether words rank too; they are looked up in any case. */
  byWords: boolean;
  filters: DocumentFilters;
}

/** The leaves that rankings found, and what they say of the project. */
interface RankedLeaves
  extends Pick<
    WordRanking,
    'ceiling' | 'counts' | 'languages' | 'respelled' | 'sections' | 'vectorsPending'
  > {
  /** Those that the query quotes. */
  phrases: FoundPhrases['phrases'];
  /** By leaf key, best first. */
  candidates: Map<string, Candidate>;
  /** A ranking had more. */
  more: boolean;
  /** Cosine similarity of an ordinary leaf with the query; null: not asked by vectors, or there is none. */
  ordinary: number | null;
}

const keyed = (hits: readonly LeafHit[]): RankedKey[] =>
  hits.map((hit) => ({ key: leafKey(hit), score: hit.score }));

/**
 * What a text has that is like the query by chance alone: the middle of the ranking, or of its first places where it is
 * long, so that it does not go by how many are asked for.
 */
export function ordinarySimilarity(hits: readonly { score: number }[], rank: number): number | null {
  return hits[Math.min(rank - 1, Math.floor(hits.length / 2))]?.score ?? null;
}

/** Up to so many leaves of some files are all compared: an index would have to be searched past those of the others. */
const MOST_COMPARED = 20_000;

/** Whether the project has an approximate index, and it pays to go by it. */
async function goesByIndex(db: Queryable, scope: Scope, { vector, filter }: VectorQuery): Promise<boolean> {
  if (filter.headerPath.length > 0 || (await totalsOf(db, scope)).leaves < LEAST_INDEXED) return false;
  if (!(await isIndexed(db, scope, vector.length))) return false;
  return letsAllThrough(filter) || (await selectSearchableTotals(db, scope, filter)).leaves > MOST_COMPARED;
}

interface VectorQuery {
  vector: Float32Array;
  limit: number;
  filter: DocumentFilters;
}

async function rankByVector(db: Queryable, scope: Scope, query: VectorQuery): Promise<LeafRanking> {
  const select = (await goesByIndex(db, scope, query)) ? selectNearestByIndex : selectNearestLeaves;
  const hits = await select(db, scope, query);
  return { hits, more: hits.length >= query.limit };
}

/**
 * Ranks a project's leaves by words, by vector or by both.
 *
 * @param depth leaves that each ranking gives at most
 */
export async function rankLeaves(
  db: Queryable,
  scope: Scope,
  { text, vector, fusionWeight, byWords, filters }: LeafQuery,
  depth: number,
  { fusion, lexical, relevance }: RetrievalTuning = retrievalTuning,
): Promise<RankedLeaves> {
  // words first: where statements queue, their scores are computed while the vectors are compared
  const [words, near, quoted] = await Promise.all([
    rankByWords(db, scope, { text, limit: depth, filters }, lexical),
    Promise.resolve(vector).then(
      (known) => known && rankByVector(db, scope, { vector: known, limit: depth, filter: filters }),
    ),
    findPhrases(db, scope, { text, filters }, lexical),
  ]);
  const leaves = new Map([...(near?.hits ?? []), ...words.hits].map((hit) => [leafKey(hit), hit]));
  const combined = combineRankings(
    {
      dense: near && keyed(near.hits),
      fusionWeight,
      lexical: byWords ? { hits: keyed(words.hits), ceiling: words.ceiling } : null,
    },
    fusion,
  );
  const candidates = new Map<string, Candidate>();
  for (const hit of preferQuoted(combined, quoted)) {
    const leaf = leaves.get(hit.key) ?? quoted.leaves.get(hit.key)?.hit;
    if (leaf) candidates.set(hit.key, { ...leaf, ...hit });
  }
  const more = near?.more === true || (byWords && words.more);
  const { ceiling, counts, languages, respelled, sections, vectorsPending } = words;
  const { phrases } = quoted;
  const ordinary = near && ordinarySimilarity(near.hits, relevance.ordinaryRank);
  return {
    ...{
      candidates,
      more,
      ceiling,
      counts,
      languages,
      respelled,
      phrases,
      sections,
      vectorsPending,
      ordinary,
    },
  };
}
