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

/**
 * Merges rankings by reciprocal rank, best first; equal scores stay in the order of the first ranking that has them.
 *
 * @param k the greater it is, the less the first places count for more than those behind them
 */
export function fuseRankings(rankings: readonly Ranking[], k: number): FusedHit[] {
  const scores = new Map<string, number>();
  let best = 0;
  for (const { keys, weight } of rankings) {
    best += weight / (k + 1);
    keys.forEach((key, index) => {
      scores.set(key, (scores.get(key) ?? 0) + weight / (k + 1 + index));
    });
  }
  return [...scores]
    .map(([key, score]) => ({ key, score: best > 0 ? Math.min(score / best, 1) : 0 }))
    .sort((a, b) => b.score - a.score);
}
