import type { WordTerms } from '../text/asked-terms.ts';

/** What a match that is not of the very word is worth; a typing error may be another word, a part may be of anything. */
const SAME_STEM = 0.8;
const PART_OF_COMPOUND = 0.6;
const MISSPELT = 0.6;
const ALL_PARTS = 0.9;
const SOME_PARTS = 0.7;
/** The parts of a name or number are no name: "SKU" is not "SKU-9999". */
const PARTS_OF_NAME = 0.5;
/** Shorter terms are alike by chance. */
const LEAST_LENGTH = 5;
const LEAST_PREFIX_SHARE = 0.7;
const DIGIT = /\p{N}/u;

/** How a word of a query is compared with those of a text. */
interface Manner {
  /** No common word, and in no document: one letter may be wrong. */
  mayBeMisspelt: boolean;
  /** Inflections, parts of compounds and misspellings count too. */
  isComparedLoosely: boolean;
}

function commonPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

/** Whether one letter is wrong, missing or too much, or two neighbours are swapped. */
export function isOneEditAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  const start = commonPrefix(a, b);
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [restOfA, restOfB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (restOfA.length <= 1 && restOfB.length <= 1) return true;
  return restOfA.length === 2 && restOfA[0] === restOfB[1] && restOfA[1] === restOfB[0];
}

function likeness(term: string, other: string, mayBeMisspelt: boolean): number {
  if (other.length < LEAST_LENGTH || DIGIT.test(other)) return 0;
  const shared = commonPrefix(term, other);
  if (shared >= LEAST_LENGTH && shared >= LEAST_PREFIX_SHARE * Math.max(term.length, other.length)) {
    return SAME_STEM;
  }
  if (shared === Math.min(term.length, other.length)) return PART_OF_COMPOUND;
  if (term.endsWith(other) || other.endsWith(term)) return PART_OF_COMPOUND;
  return mayBeMisspelt && isOneEditAway(term, other) ? MISSPELT : 0;
}

function termMatch(
  term: string,
  terms: ReadonlySet<string>,
  { mayBeMisspelt, isComparedLoosely }: Manner,
): number {
  if (terms.has(term)) return 1;
  if (!isComparedLoosely || term.length < LEAST_LENGTH || DIGIT.test(term)) return 0;
  let best = 0;
  for (const other of terms) best = Math.max(best, likeness(term, other, mayBeMisspelt));
  return best;
}

/**
 * How far a text has a word of a query, 0 to 1: 1 for the very word in any inflection, less for the words that it is made
 * of or that are made of it, and for another spelling.
 *
 * @param word.isName a name or number, which its parts do not stand for
 * @param word.nearest the term that it was taken for, where no text has it
 */
export function matchWord(
  word: WordTerms & Manner & { isName: boolean; nearest: string | null },
  terms: ReadonlySet<string>,
): number {
  if (word.nearest !== null && terms.has(word.nearest)) return MISSPELT;
  const { whole, parts, isName } = word;
  const ofWhole = whole === null ? 0 : termMatch(whole, terms, word);
  if (ofWhole === 1 || parts.length === 0) return ofWhole;
  const share = parts.filter((part) => terms.has(part)).length / parts.length;
  if (whole === null) return share;
  if (isName) return Math.max(ofWhole, PARTS_OF_NAME * share);
  return Math.max(ofWhole, share === 1 ? ALL_PARTS : SOME_PARTS * share);
}
