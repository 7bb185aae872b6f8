import type { QueryReading } from '../contract/passage.ts';
import { fold } from '../text/fold.ts';
import { isLanguage, type TextLanguage } from '../text/languages.ts';
import { compounds, storedTerm, termsOfWord } from '../text/terms.ts';
import type { FoundPhrases } from './quoted-phrases.ts';
import type { Respelled } from './respell.ts';

export const NOTHING_READ: QueryReading = { phrases: [], taken_for: [] };

/** The language that a stored term is marked with. */
function languageOf(term: string): TextLanguage {
  const mark = term.slice(0, Math.max(0, term.indexOf(':')));
  return isLanguage(mark) ? mark : null;
}

/** Letters that a word has in common with its stem. */
const ALIKE = 2;

/** A term as a text writes it, or the term where none has it. */
function writtenAs(term: string, texts: readonly string[]): string {
  const language = languageOf(term);
  // no stemmer changes how a word begins, and few words begin like this one
  const beginning = term.slice(storedTerm('', language).length).slice(0, ALIKE);
  const isWritten = (word: string): boolean =>
    fold(word.slice(0, ALIKE).toLowerCase()).startsWith(beginning) &&
    termsOfWord(word.toLowerCase(), language).some((stem) => storedTerm(stem, language) === term);
  for (const text of texts) {
    const written = compounds(text).find(isWritten);
    if (written !== undefined) return written;
  }
  return term.slice(storedTerm('', language).length);
}

/**
 * How a query was read, in words.
 *
 * @param texts what was found: they have the words that slips were taken for
 */
export const readingOf = (
  phrases: FoundPhrases['phrases'],
  respelled: readonly Respelled[],
  texts: readonly string[],
): QueryReading => ({
  phrases: phrases.map(({ text, isFound }) => ({ text, is_found: isFound })),
  taken_for: respelled.map(({ word, to }) => ({ word, taken_for: writtenAs(to, texts) })),
});

/** One reading of those of several places: what one of them has is there. */
export function mergeReadings(readings: readonly QueryReading[]): QueryReading {
  const all = readings.flatMap(({ phrases }) => phrases);
  const texts = [...new Set(all.map(({ text }) => text))];
  const pairs = readings.flatMap((reading) => reading.taken_for);
  return {
    phrases: texts.map((text) => ({
      text,
      is_found: all.some((phrase) => phrase.text === text && phrase.is_found),
    })),
    taken_for: [...new Map(pairs.map((pair) => [`${pair.word} ${pair.taken_for}`, pair])).values()],
  };
}
