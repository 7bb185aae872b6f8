import type { PdfPage } from './furniture.ts';
import { headingLevels } from './headings.ts';
import {
  compoundsIn,
  goesOn,
  type Paragraph,
  paragraphsOf,
  paragraphText,
  usualLeading,
} from './paragraphs.ts';

/** The text of a document with the offset of each page's first character. */
export interface ComposedText {
  text: string;
  pageStarts: number[];
  /** How many headings were recognised: with any, the text is Markdown. */
  headings: number;
}

/** What would begin a heading, a fence or an HTML block in Markdown, or make a heading of the line before. */
const MARKUP = /^(?=#{1,6}(?:\s|$)|`{3}|~{3}|<|=+\s*$|-+\s*$)/gm;

/** Puts the lines of the pages together to paragraphs, and these to one text. */
export function composeText(pages: readonly PdfPage[]): ComposedText {
  const lines = pages.map((page) => page.lines);
  const leading = usualLeading(lines);
  const byPage = lines.map((one) => paragraphsOf(one, leading));
  const levels = headingLevels(byPage.flat());
  const compounds = compoundsIn(lines);
  const isCompound = (word: string) => compounds.has(word);

  const pieces: string[] = [];
  let length = 0;
  const add = (piece: string) => {
    pieces.push(piece);
    length += piece.length;
  };
  const pageStarts: number[] = [];
  let before: Paragraph | undefined;
  for (const paragraphs of byPage) {
    let isFirst = true;
    for (const paragraph of paragraphs) {
      const level = levels.get(paragraph);
      const isRunning = level === undefined && before !== undefined && !levels.has(before);
      if (before !== undefined) add(isRunning && goesOn(before, paragraph, isFirst) ? '\n' : '\n\n');
      if (isFirst) pageStarts.push(length);
      isFirst = false;
      const text = paragraphText(paragraph, isCompound);
      if (level !== undefined) add(`${'#'.repeat(level)} ${text.replace(/\s+/g, ' ')}`);
      else add(levels.size === 0 ? text : text.replace(MARKUP, '\\'));
      before = paragraph;
    }
    if (isFirst) pageStarts.push(length);
  }
  if (length > 0) add('\n');
  return { text: pieces.join(''), pageStarts, headings: levels.size };
}
