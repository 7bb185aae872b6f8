import { inverseDocumentFrequency, MAX_TERM_SHARE, termShare } from './bm25.ts';
import { addContext, MAX_CONTEXT_FACTOR } from './context-scores.ts';
import { eachPosting } from './packed-postings.ts';

/** Weight of the file's own BM25, over the project's files, in the score of each leaf of it. */
const FILE_SHARE = 0.2;

/** A term's postings in one file, with what BM25 needs to know of the term and of the file. */
export interface PostingsRow {
  term: string;
  /** Leaves, and files, of the project that have the term. */
  df: number;
  file_df: number;
  packed: Uint8Array;
  file_id: string;
  version: number;
  chunk_count: number;
  /** Of the file, in terms. */
  length: number;
  /** Of the project's searchable files, the same in every row. */
  files: number;
  leaves: number;
  total_length: number;
}

/** Scores of one file's leaves by position; 0: no word of the query. */
export interface FileScores {
  fileId: string;
  version: number;
  scores: Float64Array;
}

/** Weight of a term in a leaf's score, and in its file's. */
function termWeights(row: PostingsRow, times: number): { leaf: number; file: number } {
  return {
    leaf: times * inverseDocumentFrequency(row.leaves, row.df),
    file: times * FILE_SHARE * inverseDocumentFrequency(row.files, row.file_df),
  };
}

/** The score that a leaf full of every term would come near to; a term that was not found counts as a common one. */
function ceilingOf(rows: readonly PostingsRow[], terms: ReadonlyMap<string, number>): number {
  const found = new Map(rows.map((row) => [row.term, row]));
  let sum = 0;
  for (const [term, times] of terms) {
    const row = found.get(term);
    const weights = row ? termWeights(row, times) : { leaf: times * inverseDocumentFrequency(2, 1), file: 0 };
    sum += MAX_CONTEXT_FACTOR * weights.leaf + weights.file;
  }
  return MAX_TERM_SHARE * sum || 1;
}

/**
 * BM25 of every leaf that has words of the query, with its context added.
 *
 * @param terms how often the query names each term
 */
export function scoreFiles(
  rows: readonly PostingsRow[],
  terms: ReadonlyMap<string, number>,
): { files: FileScores[]; ceiling: number } {
  const files = new Map<string, { version: number; own: Float64Array; whole: number }>();
  for (const row of rows) {
    let file = files.get(row.file_id);
    if (!file) {
      file = { version: row.version, own: new Float64Array(row.chunk_count), whole: 0 };
      files.set(row.file_id, file);
    }
    const weights = termWeights(row, terms.get(row.term) ?? 1);
    const leafLength = row.total_length / row.leaves;
    const { own } = file;
    let inFile = 0;
    eachPosting(row.packed, (leafIndex, frequency, length) => {
      inFile += frequency;
      if (leafIndex >= own.length) return;
      own[leafIndex] = (own[leafIndex] ?? 0) + weights.leaf * termShare(frequency, length / leafLength);
    });
    file.whole += weights.file * termShare(inFile, row.length / (row.total_length / row.files));
  }
  return {
    ceiling: ceilingOf(rows, terms),
    files: [...files].map(([fileId, { version, own, whole }]) => ({
      fileId,
      version,
      scores: addContext(own, whole, false),
    })),
  };
}
