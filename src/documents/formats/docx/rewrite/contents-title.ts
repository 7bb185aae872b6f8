import type { OutlineParagraph } from './context.ts';
import { contentOf } from './paragraph-element.ts';

/** Words such as "Section" and "Page" may stand over the lines of a table of contents. */
const MOST_OTHERS = 2;

function isTitled(paragraphs: readonly OutlineParagraph[], index: number): boolean {
  let lines = 0;
  let others = 0;
  for (let next = index + 1; next < paragraphs.length; next += 1) {
    const paragraph = paragraphs[next];
    if (paragraph?.kind === 'heading' || paragraph?.kind === 'title') break;
    if (paragraph?.inContents) lines += 1;
    else others += 1;
    if (others > MOST_OTHERS) return false;
  }
  return lines > 0;
}

/**
 * What stands in the style of the document's title over nothing but the table of contents is the title of that table: Word
 * gives it no place among the headings, and the sections after it are no part of it.
 *
 * @returns how many there were
 */
export function demoteContentsTitles(paragraphs: readonly OutlineParagraph[]): number {
  const found = paragraphs.filter((one, index) => one.kind === 'title' && isTitled(paragraphs, index));
  for (const one of found) {
    one.kind = 'other';
    if (one.element !== undefined) one.element.children = contentOf(one.element);
  }
  return found.length;
}
