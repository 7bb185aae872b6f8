import type { FoundPassage } from './passage.ts';

/**
 * The first passages in the order of a reranker's scores; of equals the one that was before stays before.
 *
 * The scores are the reranker's own and mean something else with each, so that they order and do nothing more: `score`, the
 * confidence, stays that of the passage, and what a place is worth (`rank_score`) stays with the place.
 *
 * @param scores one for each of the first passages, which are ordered; those behind them stay behind
 * @param minScore passages of less stand behind the others in the order that they had
 */
export function orderAnew(
  hits: readonly FoundPassage[],
  scores: readonly number[],
  minScore = Number.NEGATIVE_INFINITY,
): FoundPassage[] {
  const judged = scores.flatMap((score, index) => {
    const hit = hits[index];
    return hit ? [{ hit, score }] : [];
  });
  const ordered = [
    ...judged.filter(({ score }) => score >= minScore).sort((a, b) => b.score - a.score),
    ...judged.filter(({ score }) => score < minScore),
  ];
  const worths = judged.map(({ hit }) => hit.rank_score).sort((a, b) => b - a);
  const least = worths.at(-1) ?? 0;
  const first = ordered.map(({ hit, score }, place) => ({
    ...hit,
    rank_score: worths[place] ?? least,
    explain: hit.explain && { ...hit.explain, rerank_rank: place + 1, rerank_score: score },
  }));
  const behind = hits
    .slice(judged.length)
    .map((hit) => ({ ...hit, rank_score: Math.min(least, hit.rank_score) }));
  return [...first, ...behind];
}
