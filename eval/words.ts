/**
 * Words as the reference run counted them: runs of letters and digits in lower case, as a multiset. Compatibility forms are
 * folded first, so that `m²` and `m2` are one word. Names of LaTeX commands are no words: the tools spell the same equation
 * with different ones.
 */
export function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text
    .replace(/\\[a-z]+/gi, ' ')
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]+/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}
