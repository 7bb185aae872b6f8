import type { RetrievalTuning } from './tuning.ts';

/** The constants of Okapi BM25. */
export type Bm25 = RetrievalTuning['lexical']['bm25'];

/** How telling a term is that `having` of `total` texts have: the never negative idf that Lucene uses. */
export function inverseDocumentFrequency(total: number, having: number): number {
  return Math.log(1 + (Math.max(total - having, 0) + 0.5) / (having + 0.5));
}

/** What `termShare` goes by in texts of one collection: worked out once for all postings of a query. */
export interface TermShares {
  top: number;
  base: number;
  byLength: number;
}

export const termSharesOf = ({ k1, b }: Bm25, averageLength: number): TermShares => ({
  top: k1 + 1,
  base: k1 * (1 - b),
  byLength: (k1 * b) / averageLength,
});

/** Share of its idf that a term adds to the score of a text of so many terms, below `maxTermShare`. */
export const termShare = (frequency: number, length: number, { top, base, byLength }: TermShares): number =>
  (frequency * top) / (frequency + base + byLength * length);

/** What `termShare` comes near to for a term that a text is full of. */
export const maxTermShare = ({ k1 }: Bm25): number => k1 + 1;
