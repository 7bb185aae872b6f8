/**
 * Answers which of the indexes `first..last` (inclusive, of 0 to `count` - 1) is the best, the earliest among equals,
 * in logarithmic time: a range maximum query over a segment tree.
 */
export function rangeMaximum(
  count: number,
  isBetter: (one: number, other: number) => boolean,
): (first: number, last: number) => number {
  const tree = new Int32Array(2 * count);
  const winner = (one: number, other: number): number => {
    const [early, late] = one < other ? [one, other] : [other, one];
    return isBetter(late, early) ? late : early;
  };
  for (let i = 0; i < count; i++) tree[count + i] = i;
  for (let i = count - 1; i > 0; i--) tree[i] = winner(tree[2 * i] ?? 0, tree[2 * i + 1] ?? 0);
  return (first, last) => {
    let best = first;
    let low = first + count;
    let high = last + count + 1;
    while (low < high) {
      if (low & 1) best = winner(best, tree[low++] ?? best);
      if (high & 1) best = winner(best, tree[--high] ?? best);
      low >>= 1;
      high >>= 1;
    }
    return best;
  };
}
