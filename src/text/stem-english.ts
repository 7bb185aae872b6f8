/**
 * The English ("Porter2") stemmer, after its definition by Martin Porter and Richard Boulton:
 * https://snowballstem.org/algorithms/english/stemmer.html. Regions and steps bear the names that they have there.
 *
 * No library: `stemmer` 2.0.1 and `@orama/stemmers` 3.1.18 have the first Porter stemmer ("was" is "wa" there; 4 and 6 % of
 * 36,787 words differ). Of those that have this one, `snowball-stemmers` 0.6.0 (2016, 868 kB, no types) gives the same stems
 * in four times the time, and `wink-porter2-stemmer` 2.0.1 (no types) in more than twice.
 */

const EXCEPTIONS = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ...['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes'].map((word) => [word, word] as const),
]);

const FINISHED_AFTER_1A = new Set([
  ...['inning', 'outing', 'canning', 'herring', 'earring'],
  ...['proceed', 'exceed', 'succeed'],
]);

const VOWEL = /[aeiouy]/;
/** `y` that is a consonant is written `Y` meanwhile. */
const CONSONANT_Y = /(^|[aeiouy])y/g;
const REGION = /^.*?[aeiouy][^aeiouy]/;
const REGION_EXCEPTION = /^(?:gener|commun|arsen)/;
const SHORT_SYLLABLE = /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/;
const DOUBLE = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;

type Replacements = [suffix: string, by: string][];

const longestFirst = (list: Replacements): Replacements => list.sort((a, b) => b[0].length - a[0].length);

const STEP_2 = longestFirst([
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['entli', 'ent'],
  ['izer', 'ize'],
  ['ization', 'ize'],
  ['ational', 'ate'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['alli', 'al'],
  ['fulness', 'ful'],
  ['ousli', 'ous'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['bli', 'ble'],
  ['ogi', 'og'],
  ['fulli', 'ful'],
  ['lessli', 'less'],
  ['li', ''],
]);

const STEP_3 = longestFirst([
  ['tional', 'tion'],
  ['ational', 'ate'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
  ['ative', ''],
]);

const STEP_4 = longestFirst(
  'al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion'
    .split(' ')
    .map((suffix) => [suffix, '']),
);

const regionStart = (word: string): number => REGION.exec(word)?.[0].length ?? word.length;

function step1a(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ied') || word.endsWith('ies')) return word.slice(0, word.length > 4 ? -2 : -1);
  if (word.endsWith('us') || word.endsWith('ss') || !word.endsWith('s')) return word;
  return VOWEL.test(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function step1b(word: string, r1: number): string {
  const eed = /eed(?:ly)?$/.exec(word);
  if (eed) return eed.index >= r1 ? `${word.slice(0, eed.index)}ee` : word;
  const suffix = /(?:ed|ing)(?:ly)?$/.exec(word);
  if (!suffix || !VOWEL.test(word.slice(0, suffix.index))) return word;
  const stem = word.slice(0, suffix.index);
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (DOUBLE.test(stem)) return stem.slice(0, -1);
  return stem.length <= r1 && SHORT_SYLLABLE.test(stem) ? `${stem}e` : stem;
}

/** Finds the longest suffix that fits and replaces it, if it lies in the region and `allowed` has no objection. */
function replaceSuffix(
  word: string,
  list: Replacements,
  region: number,
  allowed: (stem: string, suffix: string) => boolean,
): string {
  const found = list.find(([suffix]) => word.endsWith(suffix));
  if (!found) return word;
  const [suffix, by] = found;
  const stem = word.slice(0, word.length - suffix.length);
  return stem.length >= region && allowed(stem, suffix) ? stem + by : word;
}

function step5(word: string, r1: number, r2: number): string {
  const stem = word.slice(0, -1);
  if (word.endsWith('e')) {
    return stem.length >= r2 || (stem.length >= r1 && !SHORT_SYLLABLE.test(stem)) ? stem : word;
  }
  return word.endsWith('ll') && stem.length >= r2 ? stem : word;
}

/**
 * The stem of one English word: what its inflections have in common.
 *
 * @param word letters a to z in lower case; anything else comes back as it is
 */
export function stemEnglish(word: string): string {
  if (word.length <= 2 || !/^[a-z]+$/.test(word)) return word;
  const exception = EXCEPTIONS.get(word);
  if (exception !== undefined) return exception;

  const marked = word.replace(CONSONANT_Y, '$1Y');
  const r1 = REGION_EXCEPTION.exec(marked)?.[0].length ?? regionStart(marked);
  const r2 = r1 + regionStart(marked.slice(r1));

  let stem = step1a(marked);
  if (FINISHED_AFTER_1A.has(stem)) return stem;
  stem = step1b(stem, r1);
  stem = stem.replace(/(?<=.[^aeiouy])[yY]$/, 'i');
  stem = replaceSuffix(stem, STEP_2, r1, (before, suffix) => {
    if (suffix === 'ogi') return before.endsWith('l');
    return suffix !== 'li' || /[cdeghkmnrt]$/.test(before);
  });
  stem = replaceSuffix(stem, STEP_3, r1, (before, suffix) => suffix !== 'ative' || before.length >= r2);
  stem = replaceSuffix(stem, STEP_4, r2, (before, suffix) => suffix !== 'ion' || /[st]$/.test(before));
  return step5(stem, r1, r2).toLowerCase();
}
