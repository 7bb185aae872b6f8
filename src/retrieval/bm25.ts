import type { RetrievalTuning } from './tuning.ts';

/** The constants of Okapi BM25. */
export type Bm25 = RetrievalTuning['lexical']['bm25'];

/** How telling a term is that `having` of `total` texts have: the never negative idf that Lucene uses. */
export function inverseDocumentFrequency(total: number, having: number): number {
  return Math.log(1 + (Math.max(total - having, 0) + 0.5) / (having + 0.5));
}

/**
 * Share of its idf that a term adds to a text's score, below `maxTermShare`.
 *
 * @param lengthRatio length of the text divided by the average length
 */
export function termShare(frequency: number, lengthRatio: number, { k1, b }: Bm25): number {
  return (frequency * (k1 + 1)) / (frequency + k1 * (1 - b + b * lengthRatio));
}

/** What `termShare` comes near to for a term that a text is full of. */
export const maxTermShare = ({ k1 }: Bm25): number => k1 + 1;
