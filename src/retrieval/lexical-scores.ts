import type { PostingsRow, SearchableFiles } from '../db/postings-search.ts';
import { createPostingsReader } from '../text/packed-postings.ts';
import { inverseDocumentFrequency, maxTermShare, termShare } from './bm25.ts';
import { addContext, maxContextFactor } from './context-scores.ts';
import { type RetrievalTuning, retrievalTuning } from './tuning.ts';

type LexicalTuning = RetrievalTuning['lexical'];

/** Scores of one file's leaves by position; 0: no word of the query. */
export interface FileScores {
  fileId: string;
  version: number;
  scores: Float64Array;
}

/** The texts that are searched, all together. */
export interface Collection {
  files: number;
  leaves: number;
  /** Terms. */
  length: number;
  /** One file alone was asked for. */
  isOneFile: boolean;
}

interface Totals extends Collection {
  /** Share of a file's own score in that of its leaves. */
  fileShare: number;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * One share for all files of a project, so that the scores of all its leaves compare. Where one file is asked, what that
 * says as a whole does not tell its leaves apart, and must not make each of them look like an answer.
 */
function fileShare({ files, leaves, isOneFile }: Collection, tuning: LexicalTuning['file']): number {
  const { leastShare, mostShare, leavesOfShort, leavesOfLong } = tuning;
  if (isOneFile) return leastShare;
  const average = leaves / files;
  const shortness = (leavesOfLong - average) / (leavesOfLong - leavesOfShort);
  return leastShare + Math.min(1, Math.max(0, shortness)) * (mostShare - leastShare);
}

const collectionOf = ({ ids, leaves, lengths, wanted }: SearchableFiles): Collection => ({
  files: ids.length,
  leaves: sum(leaves),
  length: sum(lengths),
  isOneFile: wanted.filter(Boolean).length === 1,
});

/** Weight of a term in the score of a leaf, and in that of a file. */
function termWeights(row: PostingsRow, times: number, totals: Totals): { leaf: number; file: number } {
  return {
    leaf: times * inverseDocumentFrequency(totals.leaves, row.df),
    file: times * inverseDocumentFrequency(totals.files, row.file_df),
  };
}

/** The score that a leaf full of every term would come near to; a term that was not found counts as a common one. */
function ceilingOf(
  rows: readonly PostingsRow[],
  terms: ReadonlyMap<string, number>,
  totals: Totals,
  { bm25, neighbourShare }: LexicalTuning,
): number {
  const found = new Map(rows.map((row) => [row.term, row]));
  const { fileShare: share } = totals;
  const ofTerm = maxTermShare(bm25);
  const ofContext = maxContextFactor(neighbourShare);
  let ceiling = 0;
  for (const [term, times] of terms) {
    const row = found.get(term);
    const { leaf, file } = row
      ? termWeights(row, times, totals)
      : { leaf: times * inverseDocumentFrequency(2, 1), file: 0 };
    ceiling += ofTerm * ((1 - share) * ofContext * leaf + share * file);
  }
  return ceiling || 1;
}

/**
 * BM25 of every leaf that has words of the query, with its context added.
 *
 * @param terms how often the query names each term
 * @param collection what is searched, where `files` is a part of it
 */
export function scoreFiles(
  rows: readonly PostingsRow[],
  files: SearchableFiles,
  terms: ReadonlyMap<string, number>,
  tuning: LexicalTuning = retrievalTuning.lexical,
  collection: Collection = collectionOf(files),
): { scored: FileScores[]; ceiling: number } {
  const { bm25, neighbourShare } = tuning;
  const totals = { ...collection, fileShare: fileShare(collection, tuning.file) };
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
        own[leafIndex] =
          (own[leafIndex] ?? 0) + weights.leaf * termShare(frequency, length / leafLength, bm25);
      });
      // what every leaf has so often is from the headings above them all: each leaf is indexed with those, the file has
      // them once
      if (count === files.leaves[place]) inFile -= (count - 1) * least;
      file.whole += weights.file * termShare(inFile, (files.lengths[place] ?? fileLength) / fileLength, bm25);
      touched.set(place, file);
    }
  }
  const scored = [...touched].map(([place, { own, whole }]) => ({
    fileId: files.ids[place] ?? '',
    version: files.versions[place] ?? 0,
    scores: addContext(own, { score: whole, share: totals.fileShare }, neighbourShare),
  }));
  return { scored, ceiling: ceilingOf(rows, terms, totals, tuning) };
}
