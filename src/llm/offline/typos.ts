/**
 * Whether one word is the other with a single typing error: two neighbouring letters swapped, or, in words of five letters
 * and more with the same beginning, one letter left out, added or wrong.
 */
export function isNearly(word: string, known: string): boolean {
  if (Math.abs(word.length - known.length) > 1 || word === known) return false;
  if (word.length === known.length && isSwap(word, known)) return word.length >= 3;
  if (known.length < 5 || word.length < 4 || word[0] !== known[0]) return false;
  let start = 0;
  while (start < word.length && word[start] === known[start]) start += 1;
  const [longer, shorter] = word.length > known.length ? [word, known] : [known, word];
  if (longer.length === shorter.length) return word.slice(start + 1) === known.slice(start + 1);
  return longer.slice(start + 1) === shorter.slice(start);
}

function isSwap(word: string, known: string): boolean {
  let at = 0;
  while (at < word.length && word[at] === known[at]) at += 1;
  return (
    word[at] === known[at + 1] && word[at + 1] === known[at] && word.slice(at + 2) === known.slice(at + 2)
  );
}
