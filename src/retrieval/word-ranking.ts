import type { LeafHit } from '../db/leaf-hit.ts';
import type { Under } from '../db/leaves.ts';
import type { AskedTerm } from '../text/asked-terms.ts';
import type { TextLanguage } from '../text/languages.ts';
import type { TermCounts } from './asked-words.ts';
import type { LeafRanking } from './leaf-hit.ts';
import type { FileScores } from './lexical-scores.ts';
import type { DocumentFilters } from './passage.ts';
import type { Respelled } from './respell.ts';

/** What is asked for by words. */
export interface WordQuery {
  text: string;
  limit: number;
  filters: DocumentFilters;
}

/** What is asked for by words, in the languages of a project's files. */
export interface AnalysedQuery extends WordQuery {
  languages: readonly TextLanguage[];
  terms: readonly AskedTerm[];
}

/** A ranking by words, with what the statement that it took knows of the project. */
export interface WordRanking extends LeafRanking {
  /** The score that a leaf full of every word of the query would come near to. */
  ceiling: number;
  /** How many leaves of the project have each term of the query. */
  counts: TermCounts;
  /** Those of the project's files, as the ranking found them. */
  languages: readonly TextLanguage[];
  /** Words that no leaf has, and what they were taken for. */
  respelled: Respelled[];
  /** Sections that were searched. */
  sections: number;
  /** Leaves of the files searched that have no vector yet. */
  vectorsPending: number;
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const byName = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The `limit` best, best first; ties by file and position, so that the same question has the same answer. */
export function best(files: readonly FileScores[], limit: number): LeafRanking {
  const scores = new Float64Array(files.reduce((total, file) => total + file.scores.length, 0));
  let found = 0;
  for (const file of files) for (const score of file.scores) if (score > 0) scores[found++] = score;
  const least = scores.subarray(0, found).sort()[Math.max(0, found - limit)] ?? Number.POSITIVE_INFINITY;
  const hits: LeafHit[] = [];
  for (const { fileId, version, scores: ofFile } of files) {
    for (const [leafIndex, score] of ofFile.entries()) {
      if (score >= least) hits.push({ fileId, version, leafIndex, score });
    }
  }
  hits.sort((a, b) => b.score - a.score || byName(a.fileId, b.fileId) || a.leafIndex - b.leafIndex);
  return { hits: hits.slice(0, limit), more: found > limit };
}

/** Takes the score of every leaf that is not under the headings asked for. */
export function keepOnly(files: readonly FileScores[], under: ReadonlyMap<string, Under>): void {
  for (const { fileId, scores } of files) {
    const allowed = under.get(fileId)?.leafIndexes;
    scores.forEach((_, leafIndex) => {
      if (!allowed?.has(leafIndex)) scores[leafIndex] = 0;
    });
  }
}
