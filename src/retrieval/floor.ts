/** What of some hits is worth showing. */
export interface AboveFloor<Hit> {
  /** In their order; none has a higher score than the one before. */
  hits: Hit[];
  /** How many were left out. */
  belowFloor: number;
}

/**
 * Leaves out what was found and hardly bears on the query: nothing is better than noise.
 *
 * Order and confidence are made to agree: a hit that is less sure than one behind it is given that one's score. The
 * ranking knows better which is first, and who reads the scores expects the first to have the highest.
 *
 * @param hits in the order of their ranking
 * @param minScore the least confidence, 0 to 1; 0 keeps all
 */
export function aboveFloor<Hit extends { score: number }>(
  hits: readonly Hit[],
  minScore: number,
): AboveFloor<Hit> {
  const kept = hits.filter(({ score }) => score >= minScore);
  let highest = 0;
  const falling = kept.toReversed().map((hit) => {
    highest = Math.max(highest, hit.score);
    return { ...hit, score: highest };
  });
  return { hits: falling.reverse(), belowFloor: hits.length - kept.length };
}
