// combining accents of Latin, Greek and Cyrillic; those of other scripts are letters of their own right
const ACCENTS = /[\u0300-\u036f]/g;
const APOSTROPHES = /['’‘ʼ`´]/g;
const UNACCENTED: Readonly<Record<string, string>> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
};

/** A text in the form in which words are compared: lower case, no accents, no apostrophes, one width. */
export function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(ACCENTS, '')
    .replace(APOSTROPHES, '')
    .replace(/[ßłøđıæœ]/g, (letter) => UNACCENTED[letter] ?? letter);
}

/** The words of a text in their plain form. */
export function wordsOf(text: string): string[] {
  return plain(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

const STOP_WORDS = new Set(
  `a about after all also an and any are as at be because been but by can could did do does for from had has have he her his
  how i if in into is it its just like me more most my no not of on one or our out over she should so some such than that the
  their them then there these they this to up us was we were what when where which while who why will with would you your
  der die das und ist ein eine zu den mit von auf für im wie was wir sie es nicht auch aber
  le la les de des du un une et est en que qui dans pour pas nous vous sur au avec ce
  el los las y es una por con para no se su lo más`.split(/\s+/),
);

/**
 * What a text is about: its words without the most common ones, cut to a stem so that `customers` finds `customer` and
 * `rising` finds `rises`.
 */
export function termsOf(text: string): string[] {
  return wordsOf(text)
    .filter((word) => word.length > 1 && !STOP_WORDS.has(word))
    .map(stem);
}

// Endings are only cut where a recognisable stem is left.
function stem(word: string): string {
  const cut = word.replace(/(?:ations?|ments?|ings?|edly|ed|ies|ily|ers?|es|(?<!s)s|ly|y|e)$/, '');
  return cut.length >= 3 ? cut : word;
}
