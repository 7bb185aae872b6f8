import { detectLanguage } from './detect-language.ts';
import type { TextLanguage } from './languages.ts';
import { type Posting, packPostings } from './packed-postings.ts';
import { spellingsIn } from './spellings.ts';
import { analyseText, type KnownTerms, storedTerm } from './terms.ts';

/**
 * Which build of the lexical index this code writes. Raised whenever another term, count or byte comes out of the same text
 * (terms.ts, spellings.ts, languages.ts, detect-language.ts, packed-postings.ts, this file): what another build wrote is then indexed again.
 */
export const LEXICAL_BUILD = 4;

/**
 * A word of the context header counts this often: headings say what a leaf is about. Measured on questions over
 * documentation and abstracts: 2 is better than 1 by up to 2 points, 3 and 4 add nothing.
 */
export const HEADER_WEIGHT = 2;

/** What is indexed of one leaf. */
export interface PostingsLeaf {
  leafIndex: number;
  text: string;
  /** `[Source: name > A > B]`. */
  breadcrumb: string;
  /** What a model wrote on where it stands, if one did: its words count as often as those of the text. */
  context?: string | null;
}

/** A file's part of the lexical index, ready to be written: three columns of equal length. */
export interface Postings {
  terms: string[];
  leafCounts: number[];
  /** Hexadecimal of `packPostings`. */
  packed: string[];
  /** Sum of the leaves' lengths in terms: what BM25 normalises by. */
  totalLength: number;
  /** Whose rules the terms go by. */
  language: TextLanguage;
}

/** How often each term stands in a leaf, its context header counting `headerWeight` times, and the leaf's length in terms. */
export function countTerms(
  leaf: PostingsLeaf,
  language: TextLanguage,
  known: KnownTerms = new Map(),
  headerWeight = HEADER_WEIGHT,
): { frequencies: Map<string, number>; length: number } {
  const frequencies = new Map<string, number>();
  let length = 0;
  const add = (text: string, weight: number) => {
    for (const analysed of analyseText(text, language, known)) {
      const term = storedTerm(analysed, language);
      frequencies.set(term, (frequencies.get(term) ?? 0) + weight);
      length += weight;
    }
    // the same again in another spelling: a text is no longer for it
    for (const spelling of spellingsIn(text.normalize('NFKC'), language)) {
      const term = storedTerm(spelling, language);
      frequencies.set(term, (frequencies.get(term) ?? 0) + weight);
    }
  };
  add(leaf.text, 1);
  if (leaf.context) add(leaf.context, 1);
  add(leaf.breadcrumb.replace(/^\[Source: /, ''), headerWeight);
  return { frequencies, length };
}

/** Collects a file's part of the lexical index, leaf by leaf, in rising order. */
export function createPostingsBuilder(language: TextLanguage, headerWeight = HEADER_WEIGHT) {
  const byTerm = new Map<string, Posting[]>();
  const known: KnownTerms = new Map();
  let totalLength = 0;

  return {
    add(leaf: PostingsLeaf): void {
      const { frequencies, length } = countTerms(leaf, language, known, headerWeight);
      totalLength += length;
      for (const [term, frequency] of frequencies) {
        const postings = byTerm.get(term);
        const posting = { leafIndex: leaf.leafIndex, frequency, length };
        if (postings) postings.push(posting);
        else byTerm.set(term, [posting]);
      }
    },

    build(): Postings {
      const terms = [...byTerm.keys()].sort();
      const lists = terms.map((term) => byTerm.get(term) ?? []);
      return {
        terms,
        leafCounts: lists.map((list) => list.length),
        packed: lists.map((list) => Buffer.from(packPostings(list)).toString('hex')),
        totalLength,
        language,
      };
    },
  };
}

/** The language of a file, by its first leaves. */
export const languageOfLeaves = (leaves: readonly PostingsLeaf[]): TextLanguage =>
  detectLanguage(leaves.map(({ text }) => text));

/** Analyses a file's leaves, given in any order, into its part of the lexical index. */
export function buildPostings(leaves: readonly PostingsLeaf[], headerWeight = HEADER_WEIGHT): Postings {
  const inOrder = [...leaves].sort((a, b) => a.leafIndex - b.leafIndex);
  const builder = createPostingsBuilder(languageOfLeaves(inOrder), headerWeight);
  for (const leaf of inOrder) builder.add(leaf);
  return builder.build();
}

/** What is indexed of a turn; nothing may have been said in reply. */
export function turnWords({ message, response }: { message: string; response: string | null }): string {
  return `${message}\n${response ?? ''}`;
}
