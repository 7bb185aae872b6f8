import type { PastTurns } from '../db/past-turns.ts';
import type { AskedTerm } from '../text/asked-terms.ts';
import type { TextLanguage } from '../text/languages.ts';
import { inverseDocumentFrequency, maxTermShare, termShare, termSharesOf } from './bm25.ts';
import { addContext, maxContextFactor } from './context-scores.ts';
import { type RetrievalTuning, retrievalTuning } from './tuning.ts';

/** A turn that one ranking found. */
export interface TurnHit {
  turnNumber: number;
  score: number;
}

/** Best first, of equals the newest. */
const best = (hits: readonly TurnHit[], depth: number): TurnHit[] =>
  hits.toSorted((a, b) => b.score - a.score || b.turnNumber - a.turnNumber).slice(0, depth);

/** Best turns by similarity of their summaries, best first; scores are cosine similarities. */
export function rankTurnsByVector(
  { numbers, similarities }: PastTurns,
  { turns }: RetrievalTuning = retrievalTuning,
): TurnHit[] {
  return best(
    numbers.flatMap((turnNumber, index): TurnHit[] => {
      const score = similarities[index];
      return typeof score === 'number' ? [{ turnNumber, score }] : [];
    }),
    turns.depth,
  );
}

/**
 * Best turns by BM25 over message and reply, with the context of the turns around them (`addContext`), best first.
 *
 * @param terms what the query asks for, in the languages of the turns
 * @returns the ranking, and the score that a turn full of every word of the query would come near to
 */
export function rankTurnsByWords(
  past: PastTurns,
  terms: readonly AskedTerm[],
  { turns, lexical }: RetrievalTuning = retrievalTuning,
): { hits: TurnHit[]; ceiling: number } {
  const indexed = past.numbers.flatMap((turnNumber, index) => {
    const length = past.lengths[index];
    return typeof length === 'number' ? [{ turnNumber, length }] : [];
  });
  const average = indexed.reduce((sum, { length }) => sum + length, 0) / Math.max(indexed.length, 1) || 1;
  const positions = new Map(indexed.map(({ turnNumber }, position) => [turnNumber, position]));
  const own = new Float64Array(indexed.length);
  const shares = termSharesOf(lexical.bm25, average);
  const ofTerm = maxTermShare(lexical.bm25);
  const ofContext = maxContextFactor(lexical.neighbourShare);
  const attainable = new Map<TextLanguage, number>();
  const found = new Map(past.postings.map((row) => [row.term, row]));
  const placesOf = (names: readonly string[]): Map<number, number> => {
    const places = new Map<number, number>();
    for (const { numbers, frequencies } of names.flatMap((name) => found.get(name) ?? [])) {
      for (const [index, turnNumber] of numbers.entries()) {
        const position = positions.get(turnNumber);
        if (position === undefined) continue;
        places.set(position, Math.max(places.get(position) ?? 0, frequencies[index] ?? 0));
      }
    }
    return places;
  };
  for (const { terms: names, elsewhere, times, language } of terms) {
    const places = placesOf(names);
    // as for leaves, a term that was not found counts as one that half of all have
    const [total, having] =
      places.size > 0 ? [indexed.length, places.size + placesOf(elsewhere).size] : [2, 1];
    const weight = times * inverseDocumentFrequency(total, having);
    attainable.set(language, (attainable.get(language) ?? 0) + weight * ofTerm * ofContext);
    for (const [position, frequency] of places) {
      const length = indexed[position]?.length ?? average;
      own[position] = (own[position] ?? 0) + weight * termShare(frequency, length, shares);
    }
  }
  const scores = addContext(own, { score: 0, share: 0 }, lexical.neighbourShare);
  const hits = indexed.map(({ turnNumber }, position) => ({ turnNumber, score: scores[position] ?? 0 }));
  return {
    hits: best(
      hits.filter((hit) => hit.score > 0),
      turns.depth,
    ),
    ceiling: Math.max(0, ...attainable.values()) || 1,
  };
}
