import { sentenceStarts } from '../text/sentences.ts';
import { isStopWord } from '../text/stop-words.ts';

const WORD = /\p{L}[\p{L}\p{M}\p{N}'’&-]*/gu;
const CAPITAL = /^\p{Lu}/u;
const ACRONYM = /^\p{Lu}[\p{Lu}\p{N}-]+s?$/u;
/** Function words of German, whose nouns are all capitalised: where one stands, a single capital names nothing. */
const GERMAN = new Set(
  'Die Der Das Ein Eine der das und ist nicht mit von für auf dem ein eine einen wird werden sind zum zur kein keine'.split(
    ' ',
  ),
);
/** Capitalised in the middle of a sentence without being anybody's name. */
const ORDINARY = new Set('i ok no'.split(' '));

const MONTHS: readonly string[] = [
  'january januar janvier enero gennaio januari',
  'february februar février febrero febbraio februari',
  'march märz mars marzo maart',
  'april avril abril aprile',
  'may mai mayo maggio mei',
  'june juni juin junio giugno',
  'july juli juillet julio luglio',
  'august août agosto augustus',
  'september septembre septiembre settembre',
  'october oktober octobre octubre ottobre',
  'november novembre noviembre',
  'december dezember décembre diciembre dicembre',
];
const MONTH_OF = new Map(MONTHS.flatMap((names, index) => names.split(' ').map((name) => [name, index + 1])));

const folded = (word: string): string =>
  word
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/['’]s?$/u, '');

/** The words that sentences of the text begin with. */
function openingWords(text: string, words: readonly RegExpExecArray[]): Set<RegExpExecArray> {
  const opening = new Set<RegExpExecArray>();
  let next = 0;
  for (const start of sentenceStarts(text, 0, text.length)) {
    while ((words[next]?.index ?? start) < start) next += 1;
    const word = words[next];
    if (word) opening.add(word);
  }
  return opening;
}

/** Names in a text that writes with capitals: runs of capitalised words that no sentence begins with alone. */
function namesOf(text: string): string[][] {
  const words = [...text.matchAll(WORD)];
  const opening = openingWords(text, words);
  const runs: RegExpExecArray[][] = [];
  let end = -1;
  for (const word of words) {
    if (!CAPITAL.test(word[0])) continue;
    if (word.index === end + 1 && /[ \u00a0]/.test(text.charAt(end)) && !opening.has(word))
      runs.at(-1)?.push(word);
    else runs.push([word]);
    end = word.index + word[0].length;
  }
  const isGerman = words.some(([word]) => GERMAN.has(word));
  return runs.flatMap((run) => {
    const [head] = run;
    const isOpening = head !== undefined && opening.has(head) && !ACRONYM.test(head[0]);
    const isBare =
      isOpening && (run.length === 1 || isStopWord(head[0].toLowerCase()) || GERMAN.has(head[0]));
    const names = (isBare ? run.slice(1) : run)
      .map(([word]) => word)
      // the figure in Q3 is looked at as one
      .filter((word) => !ORDINARY.has(word.toLowerCase()) && !/^\p{L}\d+$/u.test(word));
    const least = isGerman && !names.some((name) => ACRONYM.test(name)) ? 2 : 1;
    return names.length >= least ? [names] : [];
  });
}

/** Names of the claim that the evidence does not have. A month counts as its number, which a date may have. */
export function missingNames(claim: string, evidence: string, values: ReadonlySet<number>): string[] {
  const known = (evidence.match(WORD) ?? []).map(folded);
  const exact = new Set(known);
  const knownMonths = new Set(
    (evidence.toLowerCase().match(/\p{L}+/gu) ?? []).map((word) => MONTH_OF.get(word)),
  );
  const stands = (name: string): boolean => {
    const month = MONTH_OF.get(name.toLowerCase());
    if (month !== undefined) return knownMonths.has(month) || values.has(month);
    const word = folded(name);
    // an inflected name: Regensburgs, Lisbon's
    return (
      exact.has(word) ||
      (word.length >= 4 &&
        known.some((other) => other.startsWith(word) || (other.length >= 4 && word.startsWith(other))))
    );
  };
  return namesOf(claim)
    .filter((names) => !names.every(stands))
    .map((names) => names.join(' '));
}
