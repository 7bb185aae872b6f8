import type { TermCount } from '../db/large-projects.ts';
import type { PostingsRow, SearchableFiles } from '../db/postings-search.ts';
import type { AskedTerm } from '../text/asked-terms.ts';
import type { TextLanguage } from '../text/languages.ts';
import { PostingsReader } from '../text/packed-postings.ts';
import { inverseDocumentFrequency, maxTermShare, type TermShares, termShare, termSharesOf } from './bm25.ts';
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

/** Weight of a term that no leaf has: as of a common one. */
const OF_NO_LEAF = inverseDocumentFrequency(2, 1);

/** What a term adds to the score of a leaf, and to that of a file, for each share of it (`termShare`). */
interface TermWeights {
  leaf: number;
  file: number;
}

/** What the scores of one query's leaves go by. */
export interface Scoring {
  weights(term: string): TermWeights;
  leafShares: TermShares;
  fileShares: TermShares;
  /** Share of a file's own score in that of its leaves. */
  fileShare: number;
  /** The score that a leaf full of every term of its language would come near to, where that is highest. */
  ceiling: number;
  tuning: LexicalTuning;
}

/** What the leaves of a file come to so far. */
export interface FileSums {
  fileId: string;
  version: number;
  /** Of each leaf, without its context; 0: no word of the query. */
  own: Float64Array;
  /** Of the file as one text. */
  whole: number;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * One share for all files of a project, so that the scores of all its leaves compare. Where one file is asked, what that
 * says as a whole does not tell its leaves apart, and must not make each of them look like an answer.
 */
function fileShareOf({ files, leaves, isOneFile }: Collection, tuning: LexicalTuning['file']): number {
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

/** The sum of some counts. */
const added = (counts: readonly TermCount[]): TermCount => ({
  leaves: sum(counts.map(({ leaves }) => leaves)),
  files: sum(counts.map(({ files }) => files)),
});

/**
 * BM25 with the context of each leaf added, for one query.
 *
 * @param terms what it asks for, in the languages of the texts; of the terms of a word the first counts that any leaf has
 * @param counts of those that the collection has; one that it has not counts in the ceiling as a common one
 */
export function createScoring(
  terms: readonly AskedTerm[],
  counts: ReadonlyMap<string, TermCount>,
  collection: Collection,
  tuning: LexicalTuning,
): Scoring {
  const fileShare = fileShareOf(collection, tuning.file);
  const byTerm = new Map<string, TermWeights>();
  const ofTerm = maxTermShare(tuning.bm25);
  const ofContext = maxContextFactor(tuning.neighbourShare);
  // a leaf has words of one language
  const ceilings = new Map<TextLanguage, number>();
  const isFound = new Set<TextLanguage>();
  const countsOf = (names: readonly string[]) => names.flatMap((name) => counts.get(name) ?? []);
  for (const { language, terms: names, times, elsewhere } of terms) {
    const term = names.find((name) => counts.has(name));
    // how rare a word is all languages say together
    const count = term === undefined ? null : added(countsOf([term, ...elsewhere]));
    const leaf = times * (count ? inverseDocumentFrequency(collection.leaves, count.leaves) : OF_NO_LEAF);
    const file = count ? times * inverseDocumentFrequency(collection.files, count.files) : 0;
    if (term !== undefined) {
      byTerm.set(term, { leaf, file });
      isFound.add(language);
    }
    const most = ofTerm * ((1 - fileShare) * ofContext * leaf + fileShare * file);
    ceilings.set(language, (ceilings.get(language) ?? 0) + most);
  }
  const ceiling = Math.max(0, ...[...ceilings].map(([of, most]) => (isFound.has(of) ? most : 0)));
  return {
    weights: (term) => byTerm.get(term) ?? { leaf: 0, file: 0 },
    leafShares: termSharesOf(tuning.bm25, collection.length / collection.leaves),
    fileShares: termSharesOf(tuning.bm25, collection.length / collection.files),
    fileShare,
    ceiling: ceiling || 1,
    tuning,
  };
}

/** Where the leaves of a file are summed up. */
export interface FilePlace {
  own: Float64Array;
  /** Of its first leaf in `own`. */
  start: number;
  leaves: number;
  /** Terms. */
  length: number;
  /** The highest sum of a leaf so far. */
  peak: number;
}

/**
 * Adds a term's next list, that of one file, to the sums of its leaves, and raises its peak.
 *
 * @param count leaves that have the term
 * @returns what it adds to the file as a whole
 */
export function addList(
  { leafShares, fileShares }: Scoring,
  weights: TermWeights,
  reader: PostingsReader,
  count: number,
  place: FilePlace,
): number {
  const { own, start, leaves, length } = place;
  let inFile = 0;
  let least = Number.POSITIVE_INFINITY;
  reader.startList();
  for (let i = 0; i < count && reader.next(); i++) {
    const { leafIndex, frequency } = reader;
    inFile += frequency;
    if (frequency < least) least = frequency;
    if (leafIndex >= leaves) continue;
    const at = start + leafIndex;
    const score = (own[at] ?? 0) + weights.leaf * termShare(frequency, reader.length, leafShares);
    own[at] = score;
    if (score > place.peak) place.peak = score;
  }
  // what every leaf has so often is from the headings above them all: each leaf is indexed with those, the file has them once
  if (count === leaves) inFile -= (count - 1) * least;
  return weights.file * termShare(inFile, length, fileShares);
}

/** Adds the postings of some terms to the sums of the files that are wanted; a file that has none of them yet is put there. */
export function addPostings(
  scoring: Scoring,
  rows: readonly Pick<PostingsRow, 'term' | 'files' | 'counts' | 'packed'>[],
  files: SearchableFiles,
  sums: Map<string, FileSums>,
): void {
  const places = new Map(files.ids.map((id, place) => [id, place]));
  for (const row of rows) {
    const weights = scoring.weights(row.term);
    const reader = new PostingsReader(row.packed);
    for (const [index, id] of row.files.entries()) {
      const place = places.get(id) ?? -1;
      const count = row.counts[index] ?? 0;
      if (!files.wanted[place]) {
        reader.skip(count);
        continue;
      }
      const leaves = files.leaves[place] ?? 0;
      const file = sums.get(id) ?? {
        ...{ fileId: id, version: files.versions[place] ?? 0, own: new Float64Array(leaves), whole: 0 },
      };
      const length = files.lengths[place] ?? 0;
      file.whole += addList(scoring, weights, reader, count, {
        ...{ own: file.own, start: 0, leaves, length, peak: 0 },
      });
      sums.set(id, file);
    }
  }
}

/** The scores of the leaves, each with its context. */
export const inContext = (
  { fileShare: share, tuning }: Scoring,
  sums: ReadonlyMap<string, FileSums>,
): FileScores[] =>
  Array.from(sums.values(), ({ fileId, version, own, whole }) => ({
    ...{ fileId, version, scores: addContext(own, { score: whole, share }, tuning.neighbourShare) },
  }));

/**
 * BM25 of every leaf that has words of the query, with its context added.
 *
 * @param terms what the query asks for, in the languages of the texts
 */
export function scoreFiles(
  rows: readonly PostingsRow[],
  files: SearchableFiles,
  terms: readonly AskedTerm[],
  tuning: LexicalTuning = retrievalTuning.lexical,
): { scored: FileScores[]; ceiling: number } {
  const counts = new Map(rows.map(({ term, df: leaves, file_df: of }) => [term, { leaves, files: of }]));
  const scoring = createScoring(terms, counts, collectionOf(files), tuning);
  const sums = new Map<string, FileSums>();
  addPostings(scoring, rows, files, sums);
  return { scored: inContext(scoring, sums), ceiling: scoring.ceiling };
}
