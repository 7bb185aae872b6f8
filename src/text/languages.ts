import { stemmer as stemDanish } from '@orama/stemmers/danish';
import { stemmer as stemDutch } from '@orama/stemmers/dutch';
import { stemmer as stemFinnish } from '@orama/stemmers/finnish';
import { stemmer as stemFrench } from '@orama/stemmers/french';
import { stemmer as stemGerman } from '@orama/stemmers/german';
import { stemmer as stemItalian } from '@orama/stemmers/italian';
import { stemmer as stemNorwegian } from '@orama/stemmers/norwegian';
import { stemmer as stemPortuguese } from '@orama/stemmers/portuguese';
import { stemmer as stemRussian } from '@orama/stemmers/russian';
import { stemmer as stemSpanish } from '@orama/stemmers/spanish';
import { stemmer as stemSwedish } from '@orama/stemmers/swedish';
import { stopwords as danish } from '@orama/stopwords/danish';
import { stopwords as dutch } from '@orama/stopwords/dutch';
import { stopwords as finnish } from '@orama/stopwords/finnish';
import { stopwords as french } from '@orama/stopwords/french';
import { stopwords as german } from '@orama/stopwords/german';
import { stopwords as italian } from '@orama/stopwords/italian';
import { stopwords as norwegian } from '@orama/stopwords/norwegian';
import { stopwords as portuguese } from '@orama/stopwords/portuguese';
import { stopwords as russian } from '@orama/stopwords/russian';
import { stopwords as spanish } from '@orama/stopwords/spanish';
import { stopwords as swedish } from '@orama/stopwords/swedish';
import { fold } from './fold.ts';
import { stemEnglish } from './stem-english.ts';

/*
 * The languages whose words are stemmed, with Snowball's stemmers. Those of the package were compared with Snowball's own, 20,000
 * words of a dictionary each: Danish, Italian, Portuguese, Russian and Spanish are the same; French, Norwegian and Swedish differ in
 * less than 2 % and German in 5 %, as Snowball has changed since. Its English is Porter's first one, and not taken.
 */

interface Rules {
  stem: (word: string) => string;
  stopWords: ReadonlySet<string>;
}

/** Question words that the lists lack, and words of theirs that say what a question is about. */
const ASKED = {
  de: 'wer wen wem wann warum wieso weshalb wohin woher womit wofür wodurch worüber wieviel wieviele gibt es bitte wurde wurden worden dürfen darf',
  fr: 'où quand comment combien pourquoi lequel laquelle lesquels quoi dont est-ce a-t-il a-t-elle y-a-t-il être avoir fait faut',
  es: 'cuál cuáles cuánto cuánta cuántos cuántas quién quiénes dónde cuándo cómo qué por hay',
  none: '',
};
const TELLING = new Set(
  'acuerdo cuenta estado estados ejemplo empleo final horas largo lugar parte poder primero tiempo total trabajo trabajar uso valor voy'.split(
    ' ',
  ),
);

function rules(stem: Rules['stem'], listed: readonly string[], asked: keyof typeof ASKED = 'none'): Rules {
  const words = [...listed.filter((word) => !TELLING.has(word)), ...ASKED[asked].split(/[\s-]+/)];
  return { stem, stopWords: new Set(words.filter(Boolean).map(fold)) };
}

const RULES = {
  da: rules(stemDanish, danish),
  de: rules(stemGerman, german, 'de'),
  es: rules(stemSpanish, spanish, 'es'),
  fi: rules(stemFinnish, finnish),
  fr: rules(stemFrench, french, 'fr'),
  it: rules(stemItalian, italian),
  nl: rules(stemDutch, dutch),
  no: rules(stemNorwegian, norwegian),
  pt: rules(stemPortuguese, portuguese),
  ru: rules(stemRussian, russian),
  sv: rules(stemSwedish, swedish),
} as const;

/** ISO 639-1. */
export type Language = keyof typeof RULES;

/** The language whose rules a text's words go by; null: English, and whatever is not known. */
export type TextLanguage = Language | null;

export const LANGUAGES = Object.keys(RULES) as Language[];

export const isLanguage = (code: string): code is Language => Object.hasOwn(RULES, code);

/** The function words of a language, folded. */
export const stopWordsOf = (language: Language): ReadonlySet<string> => RULES[language].stopWords;

const LETTERS = /^\p{L}+$/u;

/**
 * The stems of a word, folded: as it is written, and as if it had been typed without its accents, where that is another one.
 * With the first a text is found in any inflection, with the second by who leaves accents out.
 *
 * @param word in lower case
 */
export function stemsOf(word: string, language: TextLanguage): readonly [string, ...string[]] {
  const folded = fold(word);
  if (language === null) return [stemEnglish(folded)];
  if (!LETTERS.test(word)) return [folded];
  const { stem } = RULES[language];
  const plain = fold(stem(folded));
  if (word === folded) return [plain];
  const written = fold(stem(word));
  return written === plain ? [plain] : [written, plain];
}
