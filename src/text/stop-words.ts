import { stopWordsOf, type TextLanguage } from './languages.ts';

/**
 * English function words and the question words around them. They are in the index, but a query asks for them only when
 * it has nothing else ("to be or not to be"). Contractions stand as the analyser writes them, without apostrophe.
 */
const STOP_WORDS = new Set(
  `a about above after again against all also am an and any are as at be because been before being below between both
  but by can could did do does doing down during each few for from further had has have having he her here hers herself
  him himself his how i if in into is it its itself just me more most my myself no nor not now of off on once only or
  other our ours ourselves out over own same she should so some such than that the their theirs them themselves then
  there these they this those through to too under until up upon us very was we were what when where which while who
  whom whose why will with would you your yours yourself yourselves
  im ive id youre youve theyre theyve weve isnt arent wasnt werent doesnt dont didnt cant couldnt wont wouldnt shouldnt
  hasnt havent hadnt thats whats lets please tell`.split(/\s+/),
);

/** @param word folded, not stemmed */
export function isStopWord(word: string, language: TextLanguage = null): boolean {
  return (language === null ? STOP_WORDS : stopWordsOf(language)).has(word);
}
