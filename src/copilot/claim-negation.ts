import { isStopWord } from '../text/stop-words.ts';

/*
 * Whether a text denies something, in the languages that are written most. Words that deny by their meaning (fails,
 * without, unable) count in evidence and in claims alike, so that a paraphrase is no contradiction.
 */
const NEGATIONS = `
  not no never none nobody nothing neither nor nowhere cannot without hardly isn aren wasn weren don doesn didn won wouldn
  can't couldn shouldn hasn haven hadn isnt arent wasnt werent dont doesnt didnt cant couldnt wont wouldnt shouldnt
  nicht kein keine keinen keinem keiner keines nie niemals niemand nichts weder ohne nirgends kaum
  pas jamais aucun aucune sans rien ni non
  no nunca ningún ninguno ninguna nadie nada sin tampoco jamás
  não nunca nenhum nenhuma ninguém nada sem
  nessun nessuno nessuna niente senza
  niet geen nooit niemand niets zonder
  inte ingen inget inga aldrig utan ikke aldri uten aldrig uden
  не нет ни никогда никто ничего без
  nigdy żaden bez není žádný
`;
const WORDS = new Set(NEGATIONS.trim().split(/\s+/));
const DENYING =
  /^(?:fail|lack|refus|reject|den(?:y|ie)|unable|absen|missing|exclud|prohib|forbid|stop|fehl|verweig|verbot|verbiet|ablehn|abgelehn|untersag|unmöglich|interdi|refus|manqu|prohíb|falt|vietat)/;
const UNSPACED = /[不没無无非未勿莫]|ない|ません|ず(?=[、。に])|없|않|안\s|못/;
const MORE = /\bno\.?\s*(?=\d)/giu;

const wordsOf = (text: string): string[] =>
  text
    .replace(MORE, '')
    .toLowerCase()
    .replace(/n['’]t\b/g, ' not')
    .match(/\p{L}+/gu) ?? [];

/** Whether the text says that something is not so. */
export const denies = (text: string): boolean =>
  UNSPACED.test(text) || wordsOf(text).some((word) => WORDS.has(word));

/** The same, or says it by a verb that denies. */
export const deniesOrRefuses = (text: string): boolean =>
  denies(text) || wordsOf(text).some((word) => DENYING.test(word));

const STEM = 5;
const contentOf = (text: string): Set<string> =>
  new Set(
    wordsOf(text)
      .filter((word) => word.length > 2 && !WORDS.has(word) && !isStopWord(word))
      .map((word) => word.slice(0, STEM)),
  );

/** How far two texts say the same, their negations apart: the share of words, of all that either has. */
export function sharedContent(a: string, b: string): number {
  const [first, second] = [contentOf(a), contentOf(b)];
  const shared = [...first].filter((stem) => second.has(stem)).length;
  return shared / Math.max(1, first.size + second.size - shared);
}
