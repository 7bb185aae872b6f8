/** The letters that a word of a script may have in the place of another one. */
const ALPHABETS: [RegExp, string][] = [
  [/^[a-z]+$/, 'abcdefghijklmnopqrstuvwxyz'],
  [/^[а-яё]+$/, 'абвгдежзийклмнопрстуфхцчшщъыьэюя'],
  [/^[α-ω]+$/, 'αβγδεζηθικλμνξοπρστυφχψω'],
];

/**
 * All words that are one letter away: one left out, added or changed, or two neighbours swapped. Some 600 of a word of ten letters;
 * none of a script that has no alphabet here.
 */
export function oneLetterAway(word: string): string[] {
  const letters = ALPHABETS.find(([pattern]) => pattern.test(word))?.[1] ?? '';
  const found = new Set<string>();
  for (let at = 0; letters !== '' && at <= word.length; at++) {
    const before = word.slice(0, at);
    const after = word.slice(at);
    const rest = after.slice(1);
    if (after !== '') found.add(before + rest);
    if (rest !== '') found.add(before + rest.charAt(0) + after.charAt(0) + rest.slice(1));
    for (const letter of letters) {
      found.add(before + letter + after);
      if (after !== '') found.add(before + letter + rest);
    }
  }
  found.delete(word);
  return [...found];
}

/** Letters to leave out, to add or to change, or neighbours to swap, that make one word of the other. */
export function editDistance(a: string, b: string): number {
  const rows = [...Array(a.length + 1)].map((_, i) => [i, ...Array<number>(b.length).fill(0)]);
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Math.max(i, j);
  for (let j = 0; j <= b.length; j++) (rows[0] ?? [])[j] = j;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, at(i - 2, j - 2) + 1);
      (rows[i] ?? [])[j] = least;
    }
  }
  return at(a.length, b.length);
}
