import type { Database } from '../../db/database.ts';
import { selectLeavesAt } from '../../db/leaves.ts';
import type { EmbeddingCalibration } from '../../embeddings/calibration.ts';
import { rankLeaves } from '../../retrieval/candidates.ts';
import { sectionConfidence } from '../../retrieval/section-confidence.ts';
import { type RetrievalTuning, retrievalTuning } from '../../retrieval/tuning.ts';
import type { Scope } from '../../scope.ts';
import type { TermsAsked } from '../../text/asked-terms.ts';
import { termShare } from './section-parts.ts';

/** A question to one version of a document. */
export interface SectionQuestion {
  file: { fileId: string; name: string; version: number };
  text: string;
  /** Those of the text. */
  terms: TermsAsked;
  /** It may be on its way still: words are looked up meanwhile. Null: there is none. */
  vector: Promise<Float32Array | null>;
  /** Of the model whose vector it is. */
  calibration: EmbeddingCalibration;
  /** Sections wanted. */
  topK: number;
  /** 0 to 1: what is less likely an answer is left out. */
  minConfidence: number;
}

/** A leaf that may be an answer. */
export interface LikelyLeaf {
  leafIndex: number;
  /** Confidence, 0 to 1. */
  score: number;
}

/**
 * The leaves of a document that bear on a question, most likely first: by words and meaning, or by words and headings
 * where there is no vector.
 *
 * @param among.leafPath headings that the leaves stand under; empty: any
 * @param among.isNarrowed most leaves may have to be left out later, so that more of them are looked at
 */
export async function likelyLeaves(
  db: Database,
  scope: Scope,
  { file, text, terms, vector, calibration, topK, minConfidence }: SectionQuestion,
  { leafPath, isNarrowed }: { leafPath: string[]; isNarrowed: boolean },
  tuning: RetrievalTuning = retrievalTuning,
): Promise<LikelyLeaf[]> {
  const { narrowedDepth, minDepth, leavesPerSection } = tuning.sections;
  const { fusionWeight } = calibration;
  const filters = { filenames: [file.name], headerPath: leafPath, mediaTypes: [] };
  const { candidates, ceiling, vectorsPending } = await rankLeaves(
    db,
    scope,
    { text, vector, fusionWeight, byWords: true, filters },
    isNarrowed ? narrowedDepth : Math.max(minDepth, leavesPerSection * topK),
    tuning,
  );
  const ranked = [...candidates.values()].filter((hit) => hit.version === file.version);
  const byMeaning = (await vector) !== null;
  const places = ranked.map(({ leafIndex }) => leafIndex);
  // a leaf that was not compared may have no vector yet: then its headings count, as where there are no vectors at all
  const lowest = vectorsPending > 0 ? null : 0;
  const headed = byMeaning && lowest !== null ? null : await selectLeavesAt(db, scope, file, places);
  return ranked
    .map(({ leafIndex, denseScore, lexicalScore }) => {
      const evidence = {
        cosine: byMeaning ? (denseScore ?? lowest) : null,
        wordShare: (lexicalScore ?? 0) / ceiling,
        headingShare: termShare(terms, headed?.get(leafIndex)?.headerPath.join(' ') ?? ''),
      };
      return { leafIndex, score: sectionConfidence(evidence, calibration, tuning.confidence) };
    })
    .filter(({ score }) => score >= minConfidence)
    .sort((a, b) => b.score - a.score);
}
