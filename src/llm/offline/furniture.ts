/*
 * What stands on the pages of a document and is none of its text: page numbers, running headers, lines of a table of contents,
 * and the front matter of a Markdown file.
 */

const LONGEST_PASSAGE = 20_000;
const PAGE_NUMBER =
  /(?:^|\s)(?:page|seite|p\.|pagina|página|strona|sida|side|стр\.?)\s*\d{1,4}(?:\s*(?:of|von|\/|de|di|van|z|av|из)\s*\d{1,4})?\s*$/iu;
const BARE_NUMBER = /^[\s–—-]*\d{1,4}(?:\s*\/\s*\d{1,4})?[\s–—-]*$/;
/** Dots that lead to a page number. */
const CONTENTS = /(?:\.{4,}|(?:\.\s){4,}|…{2,})\s*\d{1,4}\s*$/;
/** One text at the left of the page and one at its right. */
const TWO_SIDED = /^\S.*\S\s{8,}\S.{0,40}$/;
const LONGEST_HEADER = 140;
const STRUCTURE = /^\s*(?:[|>#]|[-*+]\s|\d{1,3}[.)]\s|```|~~~|$)/;
const MOST_FRONT_MATTER = 40;

/** The lines of a passage without a front matter before them. */
export function linesOfText(text: string): string[] {
  const lines = text.slice(0, LONGEST_PASSAGE).split('\n');
  if (lines[0]?.trim() !== '---') return lines;
  const end = lines.slice(1, MOST_FRONT_MATTER).findIndex((line) => /^(?:---|\.\.\.)\s*$/.test(line));
  return end === -1 ? lines : lines.slice(end + 2);
}

/** Lines that several places of the texts have, but for their numbers: headers and footers that run through a document. */
export function repeatedLines(texts: readonly string[]): Set<string> {
  const counts = new Map<string, number>();
  for (const line of texts.flatMap(linesOfText)) {
    if (STRUCTURE.test(line) || line.length > LONGEST_HEADER) continue;
    counts.set(shapeOf(line), (counts.get(shapeOf(line)) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count > 1).map(([shape]) => shape));
}

/** @param repeated what `repeatedLines` gave for the texts around the line */
export function isFurniture(line: string, repeated: ReadonlySet<string>): boolean {
  if (STRUCTURE.test(line) || line.length > LONGEST_HEADER) return CONTENTS.test(line);
  return (
    PAGE_NUMBER.test(line) ||
    BARE_NUMBER.test(line) ||
    CONTENTS.test(line) ||
    TWO_SIDED.test(line) ||
    repeated.has(shapeOf(line))
  );
}

const shapeOf = (line: string): string => line.trim().replace(/\d+/g, '#').replace(/\s+/g, ' ').toLowerCase();
