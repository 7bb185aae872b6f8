/** How good a ranking is for one question: `found` are keys, best first; `relevant` those that should be found. */
export type Metric = (found: readonly string[], relevant: readonly string[]) => number;

/** Share of the relevant keys among the first `k`. A key that is relevant twice counts twice. */
export const recallAt =
  (k: number): Metric =>
  (found, relevant) => {
    const first = new Set(found.slice(0, k));
    return relevant.filter((key) => first.has(key)).length / relevant.length;
  };

/** One divided by the place of the first relevant key, 0 when the first `k` have none. */
export const reciprocalRankAt =
  (k: number): Metric =>
  (found, relevant) => {
    const place = found.slice(0, k).findIndex((key) => relevant.includes(key));
    return place < 0 ? 0 : 1 / (place + 1);
  };

const gain = (place: number): number => 1 / Math.log2(place + 2);

/** Normalised discounted cumulative gain with binary relevance, as BEIR computes it. */
export const ndcgAt =
  (k: number): Metric =>
  (found, relevant) => {
    const sought = new Set(relevant);
    const dcg = found.slice(0, k).reduce((sum, key, place) => sum + (sought.has(key) ? gain(place) : 0), 0);
    const ideal = Array.from({ length: Math.min(k, sought.size) }, (_, place) => gain(place));
    return dcg / ideal.reduce((sum, value) => sum + value, 0);
  };

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
