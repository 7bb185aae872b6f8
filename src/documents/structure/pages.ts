/** The page (from 1) that an offset is on, given where the pages start; null for a document without pages. */
export function pageAt(pageStarts: readonly number[], offset: number): number | null {
  if (pageStarts.length === 0) return null;
  let low = 0;
  let high = pageStarts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pageStarts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return Math.max(1, low);
}
