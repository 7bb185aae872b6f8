import { oneLine } from '../../../text/one-line.ts';
import { type Draft, type Drafts, LONGEST_BLURB } from '../../outline/outline-item.ts';
import { textBlocks } from './paragraphs.ts';

const LONGEST_BEGINNING = 80;

/** A flat list of a text's paragraphs, parted by blank lines. */
export function paragraphDrafts(text: string, most: number): Drafts {
  const blocks = textBlocks(text);
  const drafts = blocks.slice(0, most).map(({ start, end }) => {
    const blurb = beginning(text, start, end);
    return flat(oneLine(blurb, LONGEST_BEGINNING), blurb, start, end);
  });
  return { drafts, truncated: blocks.length > most };
}

/** A node for each page of a text that has pages. */
export function pageDrafts(text: string, pageStarts: readonly number[], most: number): Drafts {
  const drafts = pageStarts.slice(0, most).map((start, i) => {
    const end = pageStarts[i + 1] ?? text.length;
    return flat(`Page ${i + 1}`, beginning(text, start, end), start, end);
  });
  return { drafts, truncated: pageStarts.length > most };
}

const beginning = (text: string, start: number, end: number): string =>
  oneLine(text.slice(start, Math.min(end, start + 4 * LONGEST_BLURB)).toWellFormed(), LONGEST_BLURB);

const flat = (text: string, blurb: string, charStart: number, charEnd: number): Draft => ({
  parent: -1,
  depth: 1,
  level: 1,
  text,
  blurb,
  charStart,
  charEnd,
});
