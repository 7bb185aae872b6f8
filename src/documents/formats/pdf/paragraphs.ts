import type { TextLine } from './text-line.ts';

/** Lines of one page that belong together. */
export interface Paragraph {
  lines: TextLine[];
  /** Font size, in points. */
  size: number;
}

/** More than the usual distance between lines by this factor starts a paragraph. */
const MORE_THAN_USUAL = 1.3;
const SAME_SIZE = 0.06;
const BULLET = /^(?:[•◦▪▫●○■□‣⁃–—*-]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s/u;
const ENDED = /[.!?:;。！？][)\]"'”’»]*$/u;
/** A line shorter than this share of its paragraph's width was ended by its author. */
const FULL = 0.85;
/** Narrower lines, as multiples of the font size, are no running text: code, an address, a cell. */
const NARROWEST = 18;

/** The usual distance of lines, as a multiple of the font size. */
export function usualLeading(pages: readonly (readonly TextLine[])[]): number {
  const counts = new Map<number, number>();
  for (const lines of pages) {
    for (const [i, next] of lines.entries()) {
      const before = lines[i - 1];
      if (before === undefined || !sameSize(before, next)) continue;
      const leading = Math.round(((before.y - next.y) / next.size) * 20) / 20;
      if (leading > 0.8 && leading < 3) counts.set(leading, (counts.get(leading) ?? 0) + 1);
    }
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return most?.[0] ?? 1.2;
}

/** Groups the lines of a page by their distance, size and indentation. */
export function paragraphsOf(lines: readonly TextLine[], leading: number): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let before: TextLine | undefined;
  for (const line of lines) {
    const open = paragraphs.at(-1);
    if (open !== undefined && before !== undefined && !startsParagraph(before, line, leading)) {
      open.lines.push(line);
    } else {
      paragraphs.push({ lines: [line], size: line.size });
    }
    before = line;
  }
  return paragraphs;
}

function sameSize(a: TextLine, b: TextLine): boolean {
  return Math.abs(a.size - b.size) <= SAME_SIZE * Math.max(a.size, b.size);
}

function startsParagraph(before: TextLine, line: TextLine, leading: number): boolean {
  if (before.bookmark !== line.bookmark) return true;
  if (line.bookmark !== undefined) return false;
  if (before.upright !== line.upright || !sameSize(before, line)) return true;
  if (!line.upright) return false;
  const distance = (before.y - line.y) / line.size;
  if (distance < 0 || distance > leading * MORE_THAN_USUAL) return true;
  const indented = line.x - before.x;
  return indented > 0.8 * line.size && indented < 6 * line.size && ENDED.test(before.text);
}

/**
 * A paragraph as text. Lines that are full run on in the next one, and words that were parted at their ends are put
 * together; rows of a table, items of a list and short lines stay lines of their own.
 *
 * @param isCompound whether a word that holds a hyphen is written so elsewhere in the document
 */
export function paragraphText({ lines, size }: Paragraph, isCompound: (word: string) => boolean): string {
  const left = Math.min(...lines.map(({ x }) => x));
  const right = Math.max(...lines.map((line) => line.right));
  let text = '';
  lines.forEach((line, i) => {
    const before = lines[i - 1];
    if (before === undefined) {
      text = line.text;
      return;
    }
    const runsOn =
      right - left >= NARROWEST * size &&
      before.right - left >= FULL * (right - left) &&
      !before.text.includes('\t') &&
      !line.text.includes('\t') &&
      !BULLET.test(line.text);
    text = runsOn ? joined(text, line.text, isCompound) : `${text}\n${line.text}`;
  });
  return text;
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uff65]/u;

function joined(text: string, next: string, isCompound: (word: string) => boolean): string {
  const parted = /[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*([-\u2010\u00ad])$/u.exec(text.slice(-60));
  const [follows = ''] = /^\p{Ll}[\p{L}\p{M}]*/u.exec(next) ?? [];
  if (parted !== null && follows !== '') {
    const isSoft = parted[1] === '\u00ad';
    const keeps = !isSoft && isCompound(`${parted[0].slice(0, -1)}-${follows}`.toLowerCase());
    return keeps ? text + next : text.slice(0, -1) + next;
  }
  const isUnspaced = UNSPACED.test(text.slice(-1)) && UNSPACED.test(next.slice(0, 1));
  return isUnspaced ? text + next : `${text} ${next}`;
}

/** Every word with a hyphen in it that stands inside a line. */
export function compoundsIn(pages: readonly (readonly TextLine[])[]): Set<string> {
  const found = new Set<string>();
  for (const lines of pages) {
    for (const { text } of lines) {
      for (const [word] of text.matchAll(/[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)+/gu)) found.add(word.toLowerCase());
    }
  }
  return found;
}

/** Whether a paragraph at the end of a page or column goes on in the next one. */
export function goesOn(before: Paragraph, next: Paragraph, onNewPage: boolean): boolean {
  const last = before.lines.at(-1);
  const first = next.lines[0];
  if (last === undefined || first === undefined) return false;
  return (
    (onNewPage || first.y > last.y) &&
    sameSize(last, first) &&
    before.lines.length > 1 &&
    !ENDED.test(last.text) &&
    /^\p{Ll}/u.test(first.text)
  );
}
