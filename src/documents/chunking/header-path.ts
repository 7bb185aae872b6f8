import type { ParsedSection } from '../structure/section.ts';

/**
 * The heading path of a stretch of a unit: what the paths of the sections in it have in common. Sections that are
 * only a heading, and what stands before the first heading, count only if there is nothing else.
 */
export function commonHeaderPath(sections: readonly ParsedSection[], start: number, end: number): string[] {
  const touched = touchedBy(sections, start, end);
  const named = touched.filter(({ section }) => section.level > 0);
  const withBody = named.filter(({ hasBody }) => hasBody);
  const paths = (withBody.length > 0 ? withBody : named).map(({ section }) => section.headerPath);
  const [first = [], ...others] = paths;
  let length = first.length;
  for (const path of others) {
    let shared = 0;
    while (shared < length && path[shared] === first[shared]) shared++;
    length = shared;
  }
  return first.slice(0, length);
}

/** The sections that a range has a part in; they are in document order, and there may be thousands of them. */
function touchedBy(sections: readonly ParsedSection[], start: number, end: number): ParsedSection[] {
  let low = 0;
  let high = sections.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sections[middle]?.section.charEnd ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  let last = low;
  while ((sections[last]?.section.charStart ?? end) < end) last++;
  return sections.slice(low, last);
}
