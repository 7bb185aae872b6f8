import { isForeignFunctionWord } from '../text/function-words.ts';
import { wordRarity } from '../text/rarity.ts';
import { type QueryWord, queryWords } from '../text/terms.ts';
import { inverseDocumentFrequency } from './bm25.ts';

/** How many texts (leaves, turns) of a project have each of a query's terms. */
export interface TermCounts {
  texts: number;
  /** Terms that none has are left out. */
  having: ReadonlyMap<string, number>;
}

/** A telling word of a query, and what it is worth in a project. */
export interface AskedWord extends QueryWord {
  /** How rare it is in general, 0 to 1. */
  rarity: number;
  /** How telling that makes it, 0 to 1. */
  weight: number;
  /** How telling it is among the project's texts: 1 where none has it, near 0 where all have. */
  specificity: number;
  /** A name, number or identifier: nothing else can stand for it. */
  isName: boolean;
  /** Some text of the project has it. */
  isKnown: boolean;
  /** No common word, and in no text: one letter may be wrong. */
  mayBeMisspelt: boolean;
  /** Inflections, parts of compounds and misspellings of it count too. */
  isComparedLoosely: boolean;
}

/** A rarer word is no misspelling of a common one, but one itself. */
const MISSPELT_RARITY = 0.75;
/**
 * More telling words than a question has. Looser comparisons are with every word of each text that was found: those of a
 * whole pasted page would hold up everybody else for seconds.
 */
const MOST_LOOSE = 32;
/** Every word says something. */
const LEAST_WEIGHT = 0.02;

const IDENTIFIER = /\p{N}|\p{Lu}.*\p{Lu}/u;
const CAPITAL = /^\p{Lu}/u;

/**
 * The telling words of a query with what they are worth.
 *
 * Capitals mark names in English only: German writes them at every noun, and a question in another language than the
 * documents' misses most words anyway.
 */
export function askedWords(text: string, { texts, having }: TermCounts): AskedWord[] {
  const isForeign = text.split(/[^\p{L}]+/u).some(isForeignFunctionWord);
  const most = inverseDocumentFrequency(texts, 0);
  const words = queryWords(text).map((word) => {
    const rarity = wordRarity(word.written);
    const count = Math.max(0, ...[word.whole ?? '', ...word.parts].map((term) => having.get(term) ?? 0));
    const isKnown = word.whole === null ? count > 0 : having.has(word.whole);
    return {
      ...word,
      rarity,
      weight: Math.max(LEAST_WEIGHT, rarity ** 2),
      specificity: inverseDocumentFrequency(texts, count) / most,
      isName: IDENTIFIER.test(word.written) || (!isForeign && !word.isFirst && CAPITAL.test(word.written)),
      isKnown,
      mayBeMisspelt: count === 0 && rarity > MISSPELT_RARITY,
    };
  });
  const loose = new Set(words.toSorted((a, b) => b.weight - a.weight).slice(0, MOST_LOOSE));
  return words.map((word) => ({ ...word, isComparedLoosely: loose.has(word) }));
}
