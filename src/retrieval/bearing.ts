import type { WordTerms } from '../text/asked-terms.ts';
import type { TextLanguage } from '../text/languages.ts';
import { analyseText, type KnownTerms } from '../text/terms.ts';
import type { AskedWord } from './asked-words.ts';
import { type RetrievalTuning, retrievalTuning } from './tuning.ts';
import { matchWord } from './word-match.ts';

/** What speaks for a text as an answer to a query, and what against it. */
export interface Evidence {
  /** Share of what the query's words weigh that the best stretch of the text has. */
  told: number;
  /** What those words weigh together, each by how telling it is in the project. */
  specific: number;
  /** How rare the rarest word is that neither the text nor any other of the project has, 0 to 1. */
  unknown: number;
  /** How rare the rarest name or number is that the text lacks. */
  missingName: number;
  /** The same, of those that no text of the project has. */
  unknownName: number;
  /** How far above an ordinary text's its similarity is, 0 to 1; null: not compared, or nobody knows what it says. */
  standing: number | null;
}

/** A text that a query found. */
export interface FoundText {
  /** Its best stretch, with the headings above it. */
  stretch: string;
  /** All of it, with the headings above it. */
  whole: string;
  language: TextLanguage;
}

/** The terms of the commonest words, which come again with every search. */
const known = new Map<TextLanguage, KnownTerms>();

function termsOf(text: string, language: TextLanguage): Set<string> {
  const ofLanguage: KnownTerms = known.get(language) ?? new Map();
  known.set(language, ofLanguage);
  return new Set(analyseText(text, language, ofLanguage));
}

const NO_TERMS: WordTerms = { whole: null, parts: [] };

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** @param standing as `standingOf` has it */
export function collectEvidence(
  words: readonly AskedWord[],
  { stretch, whole, language }: FoundText,
  standing: number | null,
): Evidence {
  // a language that came in after the query was analysed has it in none of its words
  const match = (word: AskedWord, terms: ReadonlySet<string>): number =>
    matchWord(
      { ...word, ...(word.terms.get(language) ?? NO_TERMS), nearest: word.nearest.get(language) ?? null },
      terms,
    );
  const inStretch = termsOf(stretch, language);
  const matched = words.map((word) => ({ word, weight: word.weight * match(word, inStretch) }));
  const inWhole = termsOf(whole, language);
  const lacks = (those: readonly AskedWord[]): number =>
    Math.max(0, ...those.map((word) => word.rarity * (1 - match(word, inWhole))));
  const names = words.filter(({ isName }) => isName);
  return {
    told: sum(matched.map(({ weight }) => weight)) / (sum(words.map(({ weight }) => weight)) || 1),
    specific: sum(matched.map(({ word, weight }) => weight * word.specificity)),
    unknown: lacks(words.filter(({ isKnown }) => !isKnown)),
    missingName: lacks(names),
    unknownName: lacks(names.filter(({ isKnown }) => !isKnown)),
    standing,
  };
}

/**
 * Where a similarity stands, 0 to 1: 0 for that of an ordinary text of the project, 1 for as much above it as says all.
 *
 * @param cosine null: too low to be ranked
 * @param ordinary null: there is no vector to compare
 * @param span their model's (`EmbeddingCalibration.standingSpan`)
 */
export function standingOf(cosine: number | null, ordinary: number | null, span: number): number | null {
  if (ordinary === null || span === 0) return null;
  return Math.min(1, Math.max(0, ((cosine ?? ordinary) - ordinary) / span));
}

/**
 * How likely a text bears on a query, 0 to 1, whatever the project: see `relevance` of the tuning.
 *
 * @param ahead log odds that a text of its kind has before anything is known of it
 */
export function bearingConfidence(
  { told, specific, unknown, missingName, unknownName, standing }: Evidence,
  { byBoth, byWords, supportScale }: RetrievalTuning['relevance'] = retrievalTuning.relevance,
  ahead = 0,
): number {
  const of = standing === null ? byWords : byBoth;
  const logOdds =
    ahead +
    of.bias +
    of.told * told +
    of.specific * specific -
    of.unknown * unknown -
    of.missingName * missingName -
    of.unknownName * unknownName +
    byBoth.standing * (standing ?? 0);
  // that nothing speaks against a text says little of one that nothing speaks for
  const supported = 1 - Math.exp(-(told + (standing ?? 0)) / supportScale);
  return supported / (1 + Math.exp(-logOdds));
}
