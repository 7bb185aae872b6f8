import type { TextLine } from './text-line.ts';

/** A page: its lines and its height, both in points. */
export interface PdfPage {
  lines: TextLine[];
  bottom: number;
  height: number;
}

/** Headers and footers stand in this share of a page's height, at its top and at its bottom: text begins an inch in. */
const MARGIN = 0.085;
/** On this share of the pages: those of left and right pages differ. */
const OFTEN = 0.4;
const FEWEST = 3;

const PAGE_NUMBER =
  /^[^\p{L}\p{N}]*(?:(?:page|p\.|seite|pagina|página|pág\.|стр\.)\s*)?(\d{1,5})(?:\s*(?:of|von|de|di|из|\/)\s*\d{1,5})?[^\p{L}\p{N}]*$/iu;

/**
 * Takes out what is repeated in the margins of the pages: a line that stands at the same height on many pages is kept
 * where it comes first, and page numbers are left out. Nothing is taken from a page that would be left empty.
 *
 * @returns how many lines were taken out
 */
export function removeFurniture(pages: PdfPage[]): number {
  const enough = Math.max(FEWEST, Math.ceil(pages.length * OFTEN));
  const repeated = new Map<string, number>();
  const numbered = new Map<number, number>();
  const count = <K>(counts: Map<K, number>, key: K) => counts.set(key, (counts.get(key) ?? 0) + 1);
  pages.forEach((page, index) => {
    const margins = page.lines.filter((line) => isMarginal(page, line));
    for (const key of new Set(margins.map(keyOf))) count(repeated, key);
    for (const shift of new Set(margins.map((line) => pageShift(line, index)))) {
      if (shift !== undefined) count(numbered, shift);
    }
  });
  const shown = new Set<string>();
  let removed = 0;
  pages.forEach((page, index) => {
    const kept = page.lines.filter((line) => {
      if (!isMarginal(page, line)) return true;
      const shift = pageShift(line, index);
      if (shift !== undefined && (numbered.get(shift) ?? 0) >= enough) return false;
      const key = keyOf(line);
      if ((repeated.get(key) ?? 0) < enough || !shown.has(key)) {
        shown.add(key);
        return true;
      }
      return false;
    });
    if (kept.length === 0) return;
    removed += page.lines.length - kept.length;
    page.lines = kept;
  });
  return removed;
}

function isMarginal({ bottom, height }: PdfPage, { y }: TextLine): boolean {
  const share = (y - bottom) / height;
  return share < MARGIN || share > 1 - MARGIN;
}

function keyOf(line: TextLine): string {
  return `${Math.round(line.y / 4)} ${line.text}`;
}

/** How far the number of a line that is nothing but a page number is from the page's place in the file. */
function pageShift(line: TextLine, index: number): number | undefined {
  if (line.text.length > 40) return undefined;
  const number = PAGE_NUMBER.exec(line.text)?.[1];
  return number === undefined ? undefined : Number(number) - index;
}
