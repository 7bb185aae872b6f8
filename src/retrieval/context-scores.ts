/**
 * Adds to each text a share of the scores of the texts before and after it, and mixes in that of the whole they are part
 * of. What a passage is about is often said just before it or elsewhere in its document: Callan, "Passage-Level Evidence
 * in Document Retrieval" (1994), for the whole; Fernández, Losada and Azzopardi, "Extending the Language Modeling
 * Framework for Sentence Retrieval to Include Local Context" (2011), for the neighbours.
 *
 * @param own scores in reading order; 0: no word of the query, which no context makes up for
 * @param whole its score, and what that makes up of a text's
 * @param neighbourShare what a neighbour's own score adds
 */
export function addContext(
  own: Float64Array,
  whole: { score: number; share: number },
  neighbourShare: number,
): Float64Array {
  const ofWhole = whole.share * whole.score;
  return own.map((score, index) => {
    if (score === 0) return 0;
    const neighbours = (own[index - 1] ?? 0) + (own[index + 1] ?? 0);
    return ofWhole + (1 - whole.share) * (score + neighbourShare * neighbours);
  });
}

/** What `addContext` can multiply the best possible score by, `whole` apart. */
export const maxContextFactor = (neighbourShare: number): number => 1 + 2 * neighbourShare;
