import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { isForeignFunctionWord } from './function-words.ts';

/**
 * Tokens stand in the vocabulary by how common they are: first letters and the ends of words, last, behind 200,000, words
 * such as "orchid" and "churn".
 */
const COMMONEST = 300;
const RAREST = 200_000;
/** What is longer is no word, and merging it would take long. */
const LONGEST = 64;
/** Of numbers, by their digits: "9" says next to nothing, "1187" is something's. */
const OF_DIGITS = [0.2, 0.4, 0.7, 0.9];
const OF_FUNCTION_WORD = 0.1;
/** Words are few, and come again. */
const MOST_KNOWN = 20_000;
const known = new Map<string, number>();

const POSSESSIVE = /['’]s$/iu;
const JOINERS = /[-_.,'’‐‑]/u;

const ofToken = (token: number): number =>
  Math.min(1, Math.max(0, Math.log(token / COMMONEST) / Math.log(RAREST / COMMONEST)));

/** A spelling that is no token is not common enough to be one. */
function ofSpelling(word: string): number {
  const [first = RAREST, ...others] = encode(` ${word}`);
  return others.length === 0 ? ofToken(first) : 1;
}

function ofPart(part: string): number {
  if (part.length > LONGEST) return 1;
  if (/^\d+$/.test(part)) return OF_DIGITS[Math.min(part.length, OF_DIGITS.length) - 1] ?? 1;
  if (isForeignFunctionWord(part)) return OF_FUNCTION_WORD;
  const lower = part.toLowerCase();
  const title = `${lower.slice(0, 1).toUpperCase()}${lower.slice(1)}`;
  return Math.min(...[...new Set([part, lower, title])].map(ofSpelling));
}

/**
 * How rare a word is in general, whatever the documents at hand are full of: 0 for "the", .36 for "cost", .54 for
 * "campaign", 1 for what is no common word of any language; of a compound its rarest part counts. In a project of three
 * files every word is rare: this says which of them a question is about. It goes by the tokenizer's vocabulary, which has
 * the common words of most languages in the order of how common they are.
 */
export function wordRarity(word: string): number {
  const before = known.get(word);
  if (before !== undefined) return before;
  const parts = word.replace(POSSESSIVE, '').split(JOINERS).filter(Boolean);
  const rarity = Math.max(0, ...parts.map(ofPart));
  if (known.size >= MOST_KNOWN) known.clear();
  if (word.length <= LONGEST) known.set(word, rarity);
  return rarity;
}
