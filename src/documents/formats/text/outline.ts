import { oneLine } from '../../../text/one-line.ts';
import type { Block } from '../../structure/blocks.ts';
import { MAX_BLURB, type OutlineItem, type OutlineItems } from '../../structure/outline-item.ts';

const LONGEST_BEGINNING = 80;

/** A flat list of a text's paragraphs, given as its blocks. */
export function paragraphOutline(text: string, blocks: readonly Block[], most: number): OutlineItems {
  const items = blocks.slice(0, most).map(({ start, end }) => {
    const blurb = beginning(text, start, end);
    return flat(oneLine(blurb, LONGEST_BEGINNING), blurb, start, end);
  });
  return { items, truncated: blocks.length > most };
}

/** A node for each page of a text that has pages. */
export function pageOutline(text: string, pageStarts: readonly number[], most: number): OutlineItems {
  const items = pageStarts.slice(0, most).map((start, i) => {
    const end = pageStarts[i + 1] ?? text.length;
    return flat(`Page ${i + 1}`, beginning(text, start, end), start, end);
  });
  return { items, truncated: pageStarts.length > most };
}

const beginning = (text: string, start: number, end: number): string =>
  oneLine(text.slice(start, Math.min(end, start + 4 * MAX_BLURB)).toWellFormed(), MAX_BLURB);

const flat = (text: string, blurb: string, charStart: number, charEnd: number): OutlineItem => ({
  parent: -1,
  depth: 1,
  level: 1,
  text,
  blurb,
  charStart,
  charEnd,
});
