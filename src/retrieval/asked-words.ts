import { type QueryWord, queryWords } from '../text/asked-terms.ts';
import { isForeignFunctionWord } from '../text/function-words.ts';
import type { TextLanguage } from '../text/languages.ts';
import { wordRarity } from '../text/rarity.ts';
import { storedTerm } from '../text/terms.ts';
import { inverseDocumentFrequency } from './bm25.ts';
import type { Respelled } from './respell.ts';

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
  /** Terms that it was taken for, by language. */
  nearest: ReadonlyMap<TextLanguage, string>;
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

/** How a query's words were looked up. */
interface TermsRead {
  languages: readonly TextLanguage[];
  respelled: readonly Respelled[];
}

const ENGLISH: TermsRead = { languages: [null], respelled: [] };

/** The terms that a word was taken for, as texts of each language have them. */
function nearestOf({ terms }: QueryWord, respelled: readonly Respelled[]): Map<TextLanguage, string> {
  const pairs = [...terms].flatMap(([language, { whole }]) => {
    const slip = respelled.find(({ from }) => whole !== null && from === storedTerm(whole, language));
    return slip ? [[language, slip.to.slice(storedTerm('', language).length)] as const] : [];
  });
  return new Map(pairs);
}

/** How many texts have a word of a query, in any of the languages, and whether any has it as a whole. */
function knownOf({ terms }: QueryWord, having: TermCounts['having']): { count: number; isKnown: boolean } {
  const ofLanguages = [...terms].map(([language, { whole, parts }]) => {
    const countOf = (term: string) => having.get(storedTerm(term, language)) ?? 0;
    const count = Math.max(0, ...[whole ?? '', ...parts].map(countOf));
    return { count, isKnown: whole === null ? count > 0 : countOf(whole) > 0 };
  });
  return {
    count: Math.max(0, ...ofLanguages.map(({ count }) => count)),
    isKnown: ofLanguages.some(({ isKnown }) => isKnown),
  };
}

/**
 * The telling words of a query with what they are worth.
 *
 * Capitals mark names in English only: German writes them at every noun, and a question in another language than the
 * documents' misses most words anyway.
 *
 * @param read.languages of the texts
 * @param read.respelled what its slips were taken for
 */
export function askedWords(
  text: string,
  { texts, having }: TermCounts,
  { languages, respelled }: TermsRead = ENGLISH,
): AskedWord[] {
  const isForeign = text.split(/[^\p{L}]+/u).some(isForeignFunctionWord);
  const most = inverseDocumentFrequency(texts, 0);
  const words = queryWords(text, languages).map((word) => {
    const rarity = wordRarity(word.written);
    const { count, isKnown } = knownOf(word, having);
    return {
      ...word,
      nearest: nearestOf(word, respelled),
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
