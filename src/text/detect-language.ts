import { francAll } from 'franc';
import { fold } from './fold.ts';
import { LANGUAGES, type Language, type TextLanguage } from './languages.ts';
import { isStopWord } from './stop-words.ts';
import { withoutCode } from './without-code.ts';

const CODES: Readonly<Record<string, TextLanguage>> = {
  eng: null,
  dan: 'da',
  deu: 'de',
  spa: 'es',
  fin: 'fi',
  fra: 'fr',
  ita: 'it',
  nld: 'nl',
  nob: 'no',
  por: 'pt',
  rus: 'ru',
  swe: 'sv',
};
const ONLY = Object.keys(CODES);

/** What is looked at of a text. */
const MOST_PIECES = 50;
const LONGEST_PIECE = 2_000;
const LONGEST_PROSE = 20_000;
/** Prose has a third of function words; tables and lists of names have few, and those by chance. */
const LEAST_SHARE = 0.15;
/** Different ones. */
const LEAST_FUNCTION_WORDS = 5;
/** Of those that have nearly as many as the first, the detector decides with them: Danish and Norwegian share most. */
const NEARLY = 0.75;
const NOBODY: { language: TextLanguage; score: number } = { language: null, score: 0 };

const FENCE = /^(?:```|~~~)[\s\S]*?(?:^(?:```|~~~)|$(?![\s\S]))/gm;
const WORD = /\p{L}[\p{L}\p{M}]*/gu;

const proseOf = (text: string): string => withoutCode(text.slice(0, LONGEST_PIECE).replace(FENCE, ' '));

/** How many of the words are function words of each language; English is null. */
function functionWords(words: readonly string[]): Map<TextLanguage, number> {
  const counts = new Map<TextLanguage, number>();
  for (const language of [null, ...LANGUAGES]) {
    counts.set(language, words.filter((word) => isStopWord(word, language)).length);
  }
  return counts;
}

/** Single letters are function words of many languages, and names of variables. */
const foldedWords = (text: string): string[] =>
  (text.normalize('NFC').match(WORD) ?? []).filter((word) => word.length > 1).map(fold);

/**
 * The language of a text's prose, code left out. Only what is said twice counts: by a detector, and by the function words that
 * no prose is without; all else is null, as English is.
 *
 * @param pieces of the text, in their order; the first 50 are looked at
 */
export function detectLanguage(pieces: readonly string[]): TextLanguage {
  const prose = pieces.slice(0, MOST_PIECES).map(proseOf).join('\n').slice(0, LONGEST_PROSE);
  const words = foldedWords(prose);
  const counts = functionWords(words);
  const most = Math.max(...counts.values());
  if (most < LEAST_SHARE * words.length) return null;
  const different = functionWords([...new Set(words)]);
  const likely = new Set(
    [...counts]
      .filter(([of, count]) => count >= NEARLY * most && (different.get(of) ?? 0) >= LEAST_FUNCTION_WORDS)
      .map(([of]) => of),
  );
  if (likely.has(null)) return null;
  const detected = francAll(prose.replace(/\s+/g, ' ').trim(), { only: ONLY, minLength: 1 });
  const scored = detected.map(([code, likeness]) => {
    const language = CODES[code] ?? null;
    return { language, score: likely.has(language) ? likeness * (counts.get(language) ?? 0) : 0 };
  });
  return scored.reduce((best, one) => (one.score > best.score ? one : best), NOBODY).language;
}

/** Of a question one word may be of any language ("die"). */
const LEAST_OF_QUESTION = 2;

/**
 * The language of a question by its function words: it is too short for more. Undefined: nobody can tell.
 *
 * @param words folded
 */
export function questionLanguage(words: readonly string[]): Language | null | undefined {
  const ranked = [...functionWords(words)].sort(([, a], [, b]) => b - a);
  const [first, second] = ranked;
  if (!first || first[1] < LEAST_OF_QUESTION || first[1] === second?.[1]) return undefined;
  return first[0];
}
