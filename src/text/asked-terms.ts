import { questionLanguage } from './detect-language.ts';
import { fold } from './fold.ts';
import type { TextLanguage } from './languages.ts';
import { spellingsAsked } from './spellings.ts';
import { isStopWord } from './stop-words.ts';
import {
  analyseText,
  compounds,
  isOneWord,
  type KnownTerms,
  storedTerm,
  termsOfWord,
  wordsOf,
} from './terms.ts';

/** Distinct words of a query that count: more than any question has, less than a pasted page. */
const MOST_WORDS = 256;
/** Terms that are looked up for a query in all languages together: of some 80 words in twelve of them. */
const MOST_LOOKED_UP = 1_024;
/** Dates and numbers of a query that are looked up in any spelling; they go before its words, and leave them room. */
const MOST_SPELLINGS = 32;

/** What a query asks for in the texts of one language. */
export interface AskedTerm {
  /** Of the texts. */
  language: TextLanguage;
  /** As they are stored: the word, and as it would be without accents, for where no text has them. The first counts that any has. */
  terms: readonly [string, ...string[]];
  /** How often the query names it; less of what it may not have meant. */
  times: number;
  /** What it is of the query, in lower case; none of what is no word of it. */
  words: readonly string[];
  /** What the same words are in other languages: how rare a word is shows in all texts together. */
  elsewhere: readonly string[];
}

interface Compound {
  written: string;
  words: string[];
  index: number;
}

const compoundsOf = (text: string): Compound[] =>
  compounds(text).map((written, index) => ({ written, words: [...wordsOf(written)], index }));

/**
 * Which words say something where texts of a language are searched: none that is a function word in the language of the query.
 * Where that cannot be told, what is one in the language of the texts says nothing; "die" is one in German alone.
 */
function tellingWords(all: readonly Compound[]): (word: string, language: TextLanguage) => boolean {
  const folded = all.flatMap(({ words }) => words.map((word) => [word, fold(word)] as const));
  const asked = questionLanguage(folded.map(([, plain]) => plain));
  const plainOf = new Map(folded);
  return (word, language) => !isStopWord(plainOf.get(word) ?? word, asked === undefined ? language : asked);
}

/** What a query asks for in texts of a language, by its term in them, with its words. */
type Asked = Map<string, Pick<AskedTerm, 'terms' | 'times'> & { words: Set<string> }>;

/** What a word is stemmed to in texts of a language, and how that is stored. */
interface Stems {
  stem: string;
  terms: AskedTerm['terms'];
}

function stemsIn(word: string, language: TextLanguage): Stems {
  const [stem, ...others] = termsOfWord(word, language);
  const stored = others.map((other) => storedTerm(other, language));
  return { stem, terms: [storedTerm(stem, language), ...stored] };
}

/** What a query asks for in texts of each language, and what its words are in each of them. */
interface AskedWords {
  asked: ReadonlyMap<TextLanguage, Asked>;
  stems: ReadonlyMap<string, ReadonlyMap<TextLanguage, Stems>>;
}

const timesOf = (words: readonly string[]): Map<string, number> => {
  const times = new Map<string, number>();
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
  return times;
};

/** Which of the words a language's texts are asked for: those that say something in it, or all where none does. */
function wordsFor(all: readonly Compound[], words: readonly string[], languages: readonly TextLanguage[]) {
  const isTelling = tellingWords(all);
  const ofLanguages = languages.map((language) => {
    const telling = words.filter((word) => isTelling(word, language));
    return [language, new Set(telling.length > 0 ? telling : words)] as const;
  });
  return new Map(ofLanguages);
}

/**
 * The words of a query that say something, each stemmed once for each language, and how often it is named: the first of them, if
 * there are more than are looked up.
 *
 * @param looked terms that are looked up already; those of the words are added
 */
function askIn(
  all: readonly Compound[],
  languages: readonly TextLanguage[],
  looked: Set<string> = new Set(),
): AskedWords {
  const named = timesOf(all.flatMap(({ words }) => words));
  const saying = wordsFor(all, [...named.keys()], languages);
  const asked = new Map<TextLanguage, Asked>(languages.map((language) => [language, new Map()]));
  const stems = new Map<string, ReadonlyMap<TextLanguage, Stems>>();
  for (const [word, times] of named) {
    const asking = languages.filter((language) => saying.get(language)?.has(word));
    if (asking.length === 0) continue;
    const ofWord = new Map(languages.map((language) => [language, stemsIn(word, language)]));
    const found = [...ofWord].flatMap(([language, { terms }]) =>
      asking.includes(language) ? terms : [terms[0]],
    );
    const added = found.filter((term) => !looked.has(term));
    if (stems.size >= MOST_WORDS || looked.size + added.length > MOST_LOOKED_UP) break;
    for (const term of added) looked.add(term);
    stems.set(word, ofWord);
    for (const language of asking) {
      const ofLanguage = asked.get(language);
      const { stem, terms } = ofWord.get(language) ?? stemsIn(word, language);
      const before = ofLanguage?.get(stem);
      if (before) {
        before.times += times;
        before.words.add(word);
      } else ofLanguage?.set(stem, { terms, times, words: new Set([word]) });
    }
  }
  return { asked, stems };
}

/** The dates and numbers that texts of each language are asked for in any spelling: English has its own for numbers. */
function spellingsFor(text: string, languages: readonly TextLanguage[]): Map<TextLanguage, string[]> {
  const plain = text.normalize('NFKC');
  const english = spellingsAsked(plain, null).slice(0, MOST_SPELLINGS);
  const other = languages.find((language) => language !== null);
  const others = other === undefined ? [] : spellingsAsked(plain, other).slice(0, MOST_SPELLINGS);
  return new Map(languages.map((language) => [language, language === null ? english : others]));
}

/**
 * What a query asks for in texts of some languages: its telling words, stemmed as the texts of each are; stop words only if it
 * has nothing else.
 */
export function analyseQuery(text: string, languages: readonly TextLanguage[] = [null]): AskedTerm[] {
  const spellings = spellingsFor(text, languages);
  const looked = [...spellings].flatMap(([language, terms]) =>
    terms.map((term) => storedTerm(term, language)),
  );
  const { asked, stems } = askIn(compoundsOf(text), languages, new Set(looked));
  return languages.flatMap((language) => {
    const others = languages.filter((other) => other !== language);
    const ofLanguage: Asked = new Map(asked.get(language));
    for (const term of spellings.get(language) ?? []) {
      if (ofLanguage.has(term)) continue;
      ofLanguage.set(term, { terms: [storedTerm(term, language)], times: 1, words: new Set() });
    }
    return [...ofLanguage.values()].map(({ terms, times, words }) => {
      const elsewhere = others.flatMap((other) =>
        [...words].flatMap((word) => stems.get(word)?.get(other)?.terms[0] ?? []),
      );
      return { language, terms, times, words: [...words], elsewhere: [...new Set(elsewhere)] };
    });
  });
}

/** All terms to look up for a query, each once. */
export const lookedUp = (asked: readonly AskedTerm[]): string[] => [
  ...new Set(asked.flatMap(({ terms, elsewhere }) => [...terms, ...elsewhere])),
];

/** The terms of a query, to be counted in texts of one language. */
export interface TermsAsked {
  size: number;
  /** How many of them a text has. */
  foundIn(text: string): number;
}

export function termsAsked(text: string, language: TextLanguage): TermsAsked {
  const terms: Asked = askIn(compoundsOf(text), [language]).asked.get(language) ?? new Map();
  const known: KnownTerms = new Map();
  return {
    size: terms.size,
    foundIn: (other) => new Set(analyseText(other, language, known).filter((term) => terms.has(term))).size,
  };
}

/** A word of a query in texts of one language. */
export interface WordTerms {
  /** The term of the whole; null where a script marks no words. */
  whole: string | null;
  /** The terms of its parts, or of its pairs of characters; none of a plain word. */
  parts: readonly string[];
}

/** A word of a query as it is written. */
export interface QueryWord {
  written: string;
  /** Whether the query begins with it: its capital says nothing. */
  isFirst: boolean;
  /** Its terms, by the languages that were asked for, as `analyseText` has them. */
  terms: ReadonlyMap<TextLanguage, WordTerms>;
}

function wordTerms({ written, words }: Compound, language: TextLanguage): WordTerms {
  const [first = '', ...rest] = words.map((word) => termsOfWord(word, language)[0]);
  return isOneWord(written) ? { whole: first, parts: rest } : { whole: null, parts: [first, ...rest] };
}

/** The telling words of a query, each once, in their order; stop words only if it has nothing else. */
export function queryWords(text: string, languages: readonly TextLanguage[] = [null]): QueryWord[] {
  const all = compoundsOf(text);
  const isTelling = tellingWords(all);
  const telling = all.filter(({ words }) =>
    words.some((word) => languages.some((language) => isTelling(word, language))),
  );
  const found = new Map<string, QueryWord>();
  let left = Math.min(MOST_WORDS, Math.floor(MOST_LOOKED_UP / languages.length));
  for (const { written, words: whole, index } of telling.length > 0 ? telling : all) {
    if (left <= 0) break;
    // a text without blanks is one compound, of as many pairs as it has characters
    const words = whole.slice(0, left);
    const key = words.map(fold).join(' ');
    if (found.has(key)) continue;
    const terms = new Map(
      languages.map((language) => [language, wordTerms({ written, words, index }, language)]),
    );
    found.set(key, { written, isFirst: index === 0, terms });
    left -= words.length;
  }
  return [...found.values()];
}
