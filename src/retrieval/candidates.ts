import type { Queryable } from '../db/database.ts';
import type { LeafHit } from '../db/leaf-hit.ts';
import { selectNearestLeaves } from '../db/nearest-leaves.ts';
import type { Scope } from '../scope.ts';
import { type CombinedHit, combineRankings, type RankedKey } from './combine.ts';
import { type LeafRanking, leafKey } from './leaf-hit.ts';
import { rankByWords } from './lexical.ts';
import type { DocumentFilters } from './passage.ts';
import { type RetrievalTuning, retrievalTuning } from './tuning.ts';

/** A leaf that may be an answer, with its place in each ranking and its final score. */
export type Candidate = LeafHit & CombinedHit;

interface LeafQuery {
  text: string;
  /** Null: do not go by vectors. It may be on its way still: the words are looked up meanwhile. */
  vector: Float32Array | null | Promise<Float32Array | null>;
  /** What vectors count against words, which count 1: their model's. */
  fusionWeight: number;
  byWords: boolean;
  filters: DocumentFilters;
}

const keyed = (hits: readonly LeafHit[]): RankedKey[] =>
  hits.map((hit) => ({ key: leafKey(hit), score: hit.score }));

async function rankByVector(
  db: Queryable,
  scope: Scope,
  query: { vector: Float32Array; limit: number; filter: DocumentFilters },
): Promise<LeafRanking> {
  const hits = await selectNearestLeaves(db, scope, query);
  return { hits, more: hits.length >= query.limit };
}

/**
 * Ranks a project's leaves by words, by vector or by both.
 *
 * @param depth leaves that each ranking gives at most
 * @returns candidates by leaf key, best first, whether a ranking had more, and the score that a leaf full of every word
 *   would come near to
 */
export async function rankLeaves(
  db: Queryable,
  scope: Scope,
  { text, vector, fusionWeight, byWords, filters }: LeafQuery,
  depth: number,
  { fusion, lexical }: RetrievalTuning = retrievalTuning,
): Promise<{ candidates: Map<string, Candidate>; more: boolean; ceiling: number }> {
  // words first: where statements queue, their scores are computed while the vectors are compared
  const [words, near] = await Promise.all([
    byWords ? rankByWords(db, scope, { text, limit: depth, filters }, lexical) : null,
    Promise.resolve(vector).then(
      (known) => known && rankByVector(db, scope, { vector: known, limit: depth, filter: filters }),
    ),
  ]);
  const leaves = new Map([...(near?.hits ?? []), ...(words?.hits ?? [])].map((hit) => [leafKey(hit), hit]));
  const combined = combineRankings(
    {
      dense: near && keyed(near.hits),
      fusionWeight,
      lexical: words && { hits: keyed(words.hits), ceiling: words.ceiling },
    },
    fusion,
  );
  const candidates = new Map<string, Candidate>();
  for (const hit of combined) {
    const leaf = leaves.get(hit.key);
    if (leaf) candidates.set(hit.key, { ...leaf, ...hit });
  }
  const more = near?.more === true || words?.more === true;
  return { candidates, more, ceiling: words?.ceiling ?? 1 };
}
