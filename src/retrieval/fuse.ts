/**
 * The constant of reciprocal rank fusion: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet
 * and individual Rank Learning Methods" (2009) has 60. With two rankings of unequal strength 10 is better on all sets
 * measured: at 60 the first place is worth hardly more than the thirtieth, so that a weak second opinion decides.
 */
const K = 10;

/** One ranking's say. */
export interface Ranking {
  /** Keys of the hits, best first, each once. */
  keys: readonly string[];
  weight: number;
}

export interface FusedHit {
  key: string;
  /** 1 for a hit that all rankings have in the first place, 0 for one that none has. */
  score: number;
}

/** Merges rankings by reciprocal rank, best first; equal scores stay in the order of the first ranking that has them. */
export function fuseRankings(rankings: readonly Ranking[]): FusedHit[] {
  const scores = new Map<string, number>();
  let best = 0;
  for (const { keys, weight } of rankings) {
    best += weight / (K + 1);
    keys.forEach((key, index) => {
      scores.set(key, (scores.get(key) ?? 0) + weight / (K + 1 + index));
    });
  }
  return [...scores]
    .map(([key, score]) => ({ key, score: best > 0 ? Math.min(score / best, 1) : 0 }))
    .sort((a, b) => b.score - a.score);
}
