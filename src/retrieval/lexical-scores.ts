import type { PostingsRow, SearchableFiles } from '../db/postings-search.ts';
import { createPostingsReader } from '../text/packed-postings.ts';
import { inverseDocumentFrequency, MAX_TERM_SHARE, termShare } from './bm25.ts';
import { addContext, MAX_CONTEXT_FACTOR } from './context-scores.ts';

// What the file's own BM25, over the project's files, makes up of the score of each leaf of it: a sixth as a rule. Where
// files are hardly longer than leaves (abstracts, tickets, notes) the file is what is looked for, and its parts say less
// than it does as a whole; something of the leaf is left, so that the best one of a file is known. Measured on 5,000
// abstracts: nDCG@10 .678 instead of .656; documentation and code, whose files are longer, stay as they were.
const FILE_SHARE = 1 / 6;
const MOST_FILE_SHARE = 0.96;
const LEAVES_OF_SHORT_FILE = 2.5;
const LEAVES_OF_LONG_FILE = 5;

/** Scores of one file's leaves by position; 0: no word of the query. */
export interface FileScores {
  fileId: string;
  version: number;
  scores: Float64Array;
}

interface Totals {
  files: number;
  leaves: number;
  length: number;
  /** Share of a file's own score in that of its leaves. */
  fileShare: number;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * One share for all files of a project, so that the scores of all its leaves compare. Where one file is asked, what that
 * says as a whole does not tell its leaves apart, and must not make each of them look like an answer.
 */
function fileShare({ ids, leaves, wanted }: SearchableFiles): number {
  if (wanted.filter(Boolean).length === 1) return FILE_SHARE;
  const average = sum(leaves) / ids.length;
  const shortness = (LEAVES_OF_LONG_FILE - average) / (LEAVES_OF_LONG_FILE - LEAVES_OF_SHORT_FILE);
  return FILE_SHARE + Math.min(1, Math.max(0, shortness)) * (MOST_FILE_SHARE - FILE_SHARE);
}

/** Weight of a term in the score of a leaf, and in that of a file. */
function termWeights(row: PostingsRow, times: number, totals: Totals): { leaf: number; file: number } {
  return {
    leaf: times * inverseDocumentFrequency(totals.leaves, row.df),
    file: times * inverseDocumentFrequency(totals.files, row.file_df),
  };
}

/** The score that a leaf full of every term would come near to; a term that was not found counts as a common one. */
function ceilingOf(rows: readonly PostingsRow[], terms: ReadonlyMap<string, number>, totals: Totals): number {
  const found = new Map(rows.map((row) => [row.term, row]));
  const { fileShare: share } = totals;
  let ceiling = 0;
  for (const [term, times] of terms) {
    const row = found.get(term);
    const { leaf, file } = row
      ? termWeights(row, times, totals)
      : { leaf: times * inverseDocumentFrequency(2, 1), file: 0 };
    ceiling += MAX_TERM_SHARE * ((1 - share) * MAX_CONTEXT_FACTOR * leaf + share * file);
  }
  return ceiling || 1;
}

/**
 * BM25 of every leaf that has words of the query, with its context added.
 *
 * @param terms how often the query names each term
 */
export function scoreFiles(
  rows: readonly PostingsRow[],
  files: SearchableFiles,
  terms: ReadonlyMap<string, number>,
): { scored: FileScores[]; ceiling: number } {
  const totals = {
    files: files.ids.length,
    leaves: sum(files.leaves),
    length: sum(files.lengths),
    fileShare: fileShare(files),
  };
  const leafLength = totals.length / totals.leaves;
  const fileLength = totals.length / totals.files;
  const places = new Map(files.ids.map((id, place) => [id, place]));
  const touched = new Map<number, { own: Float64Array; whole: number }>();

  for (const row of rows) {
    const weights = termWeights(row, terms.get(row.term) ?? 1, totals);
    const reader = createPostingsReader(row.packed);
    for (const [index, id] of row.files.entries()) {
      const place = places.get(id) ?? -1;
      const count = row.counts[index] ?? 0;
      if (!files.wanted[place]) {
        reader.read(count, () => undefined);
        continue;
      }
      const file = touched.get(place) ?? { own: new Float64Array(files.leaves[place] ?? 0), whole: 0 };
      const { own } = file;
      let inFile = 0;
      let least = Number.POSITIVE_INFINITY;
      reader.read(count, (leafIndex, frequency, length) => {
        inFile += frequency;
        least = Math.min(least, frequency);
        if (leafIndex >= own.length) return;
        own[leafIndex] = (own[leafIndex] ?? 0) + weights.leaf * termShare(frequency, length / leafLength);
      });
      // what every leaf has so often is from the headings above them all: each leaf is indexed with those, the file has
      // them once
      if (count === files.leaves[place]) inFile -= (count - 1) * least;
      file.whole += weights.file * termShare(inFile, (files.lengths[place] ?? fileLength) / fileLength);
      touched.set(place, file);
    }
  }
  const scored = [...touched].map(([place, { own, whole }]) => ({
    fileId: files.ids[place] ?? '',
    version: files.versions[place] ?? 0,
    scores: addContext(own, { score: whole, share: totals.fileShare }),
  }));
  return { scored, ceiling: ceilingOf(rows, terms, totals) };
}
