import { stemsOf, type TextLanguage } from './languages.ts';

/** Longer terms are cut, in UTF-16 units: nobody types a base64 line, and an index key has a maximum. */
const MAX_TERM_LENGTH = 64;
/** Shorter pieces beside an apostrophe say nothing: the "t" of "don't". */
const MIN_APOSTROPHE_PIECE = 3;

/** Letters and digits, held together by the marks of identifiers, numbers and ticket ids. */
const COMPOUND =
  /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:(?:[-_.'’‐‑]|(?<=\p{N}),(?=\p{N}))[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu;
const JOINERS = /[-_.,'’‐‑]/u;
/** Every joiner but those between digits: "2.3" is not "23", while "e-mail" is "email". */
const GLUE = /(?<=\p{N})([-_.])(?=\p{N})|[-_.,'’‐‑]/gu;
const POSSESSIVE = /['’][sS]$/u;
const APOSTROPHE = /['’]/u;
/** What French and Italian leave of a word before a vowel: "l'avion" is asked for as "avion". */
const ELISION =
  /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|dell|nell|sull|dall|all|un|quell|quest)['’](?=\p{L}{3})/iu;
/** Where camelCase words meet, an acronym's end included: parse|HTTP|Response. */
const CASE_BOUNDARY = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
/** Scripts written without spaces between words, and Hangul, whose words carry their particles. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;

function cut(term: string): string {
  if (term.length <= MAX_TERM_LENGTH) return term;
  const kept = term.slice(0, MAX_TERM_LENGTH);
  return /[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept;
}

/** Overlapping pairs of characters: what stands in for words where none are marked. */
function bigrams(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** Whether a compound has a word as a whole: not where a script marks none. */
export const isOneWord = (compound: string): boolean => compound.replace(UNSPACED, '') === compound;

/** The words of one compound before stemming, in lower case: the whole, its pieces, and the pieces of those. */
export function* wordsOf(compound: string): Generator<string> {
  const hasApostrophe = APOSTROPHE.test(compound);
  const body = hasApostrophe ? compound.replace(POSSESSIVE, '').replace(ELISION, '') : compound;
  const pieces = body.split(JOINERS);
  if (pieces.length > 1)
    yield cut(
      body
        .slice(0, 4 * MAX_TERM_LENGTH)
        .replace(GLUE, '$1')
        .toLowerCase(),
    );
  const shortest = hasApostrophe ? MIN_APOSTROPHE_PIECE : 1;
  for (const piece of pieces) {
    if (pieces.length > 1 && piece.length < shortest) continue;
    const rest = piece.replace(UNSPACED, ' ');
    if (rest !== piece) {
      for (const [run] of piece.matchAll(UNSPACED)) yield* bigrams(run);
      for (const other of rest.split(' ').filter(Boolean)) yield cut(other.toLowerCase());
      continue;
    }
    yield cut(piece.toLowerCase());
    if (piece.length > MAX_TERM_LENGTH) continue; // a blob, not a name
    const humps = piece.split(CASE_BOUNDARY);
    if (humps.length > 1) for (const hump of humps) yield hump.toLowerCase();
  }
}

/** The words of a text, as they are written; identifiers, numbers and hyphenated words are one. */
export const compounds = (text: string): string[] => text.normalize('NFKC').match(COMPOUND) ?? [];

/**
 * The terms of a word in a language, which count as one where a text is asked for them: see `stemsOf`.
 *
 * @param word as `wordsOf` has it
 */
export function termsOfWord(word: string, language: TextLanguage): readonly [string, ...string[]] {
  const [stem, ...others] = stemsOf(word, language);
  return [cut(stem), ...others.map(cut)];
}

/** The terms of compounds that were met before: a text has some thousand words, each many times. */
export type KnownTerms = Map<string, readonly string[]>;

/** Words that are met once do not stay for ever. */
const MOST_KNOWN = 50_000;

function termsOf(compound: string, language: TextLanguage, known: KnownTerms): readonly string[] {
  const before = known.get(compound);
  if (before !== undefined) return before;
  const terms = Array.from(wordsOf(compound), (word) => termsOfWord(word, language)).flat();
  if (compound.length <= MAX_TERM_LENGTH && known.size < MOST_KNOWN) known.set(compound, terms);
  return terms;
}

/**
 * The terms of a text, in order, repeated as often as they occur: folded to lower case without accents, inflections of its
 * language stemmed, identifiers and ticket numbers whole (without the hyphens: `proj1234`) and in parts, scripts without
 * spaces as pairs of characters. Terms are at most 64 characters and hold neither spaces nor NUL.
 *
 * @param known one map for all the texts of a language spares most of the work
 */
export function analyseText(
  text: string,
  language: TextLanguage = null,
  known: KnownTerms = new Map(),
): string[] {
  const terms: string[] = [];
  for (const compound of compounds(text)) {
    for (const term of termsOf(compound, language, known)) terms.push(term);
  }
  return terms;
}

/**
 * A term as it is stored: marked with the language that it was stemmed in, so that no stem is taken for another language's word
 * (German `Noten` is `not`). English, what is not known, and dates have none.
 */
export const storedTerm = (term: string, language: TextLanguage): string =>
  language === null || term.startsWith('@') ? term : `${language}:${term}`;
