import { fold } from './fold.ts';
import { compounds } from './terms.ts';

/** "…", “…”, „…“, «…», » … «: as English, German, French, Spanish and Russian quote. */
const QUOTED = /"([^"\n]{2,200})"|[“„”]([^“”„\n]{2,200})[“”]|«([^«»\n]{2,200})»|»([^«»\n]{2,200})«/gu;
/** Of a query; a pasted page has many. */
const MOST_PHRASES = 3;
/** Scripts that mark no words: a phrase may begin in the middle of what looks like one. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** A stretch of a query in quotation marks: its words are wanted as they are, side by side. */
export interface Phrase {
  text: string;
  /** As `inOneLine` has it. */
  words: string;
  /** What has it comes first. A single word in the quotation marks of a question is as a rule one that is spoken of, like others. */
  comesFirst: boolean;
}

/** The words of a text side by side, folded, whatever stands between them; a blank at either end. */
const inOneLine = (text: string): string =>
  ` ${(text.normalize('NFKC').match(WORD) ?? []).map(fold).join(' ')} `;

/** The phrases that a query quotes, each once. */
export function quotedPhrases(query: string): Phrase[] {
  const texts = [...query.matchAll(QUOTED)].map((match) => match.slice(1).find(Boolean)?.trim() ?? '');
  const phrases = texts.filter((text) => compounds(text).length > 0);
  const isAll = compounds(query.replace(QUOTED, ' ')).length === 0;
  return [...new Set(phrases)].slice(0, MOST_PHRASES).map((text) => {
    const words = inOneLine(text);
    return { text, words, comesFirst: isAll || words.trim().includes(' ') || UNSPACED.test(words) };
  });
}

/** Which of the phrases a text has. */
export function phrasesIn(text: string, phrases: readonly Phrase[]): Phrase[] {
  const line = inOneLine(text);
  return phrases.filter(({ words }) => line.includes(UNSPACED.test(words) ? words.trim() : words));
}
