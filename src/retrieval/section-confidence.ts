import type { EmbeddingCalibration } from '../embeddings/calibration.ts';
import { type RetrievalTuning, retrievalTuning } from './tuning.ts';

/** What is known of a leaf as an answer to a query. */
export interface SectionEvidence {
  /** Cosine similarity of the vectors; null: there is no vector to compare. */
  cosine: number | null;
  /** Its BM25 score as a share of what a leaf full of every word of the query would come near to. */
  wordShare: number;
  /** Share of the query's terms that its heading has; counts only where there is no vector. */
  headingShare: number;
}

/**
 * How likely a leaf answers a query, 0 to 1: words and meaning as two independent pieces of evidence, either of which may
 * be enough.
 *
 * @param calibration of the model whose vectors `cosine` compares
 */
export function sectionConfidence(
  { cosine, wordShare, headingShare }: SectionEvidence,
  { leastCosine, cosineSpan, meaningWeight }: EmbeddingCalibration,
  { wordScale, headingWeight }: RetrievalTuning['confidence'] = retrievalTuning.confidence,
): number {
  const byWords = 1 - Math.exp(-wordShare / wordScale);
  const byMeaning = Math.min(1, Math.max(0, ((cosine ?? 0) - leastCosine) / cosineSpan));
  const byHeading = cosine === null ? headingWeight * headingShare : 0;
  return 1 - (1 - byWords) * (1 - meaningWeight * byMeaning) * (1 - byHeading);
}
