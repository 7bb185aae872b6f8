/**
 * Where the segments of `text.slice(start, end)` start, ascending; the first is `start`. Line ends count as spaces.
 * A segmenter takes time in proportion to the whole string for each segment, so it gets `size` characters at a time
 * (more where a segment is longer): a few segments' worth.
 */
export function segmentStarts(
  segmenter: Intl.Segmenter,
  text: string,
  { start, end, size }: { start: number; end: number; size: number },
): number[] {
  const starts = [start];
  let from = start;
  let window = size;
  while (from < end) {
    const to = Math.min(end, from + window);
    const view = text.slice(from, to).replace(/[\r\n\u0085\u2028\u2029]/g, ' ');
    let last = 0;
    for (const { index } of segmenter.segment(view)) {
      if (index === 0) continue;
      starts.push(from + index);
      last = index;
    }
    if (to === end) break;
    // the last segment of a window may go on behind it: it is looked at again, with more of what follows
    if (last > 0) from += last;
    window = last > 0 ? size : window * 2;
  }
  return starts;
}
