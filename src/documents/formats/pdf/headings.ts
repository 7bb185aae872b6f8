import type { Paragraph } from './paragraphs.ts';

const LARGER = 1.08;
const LONGEST = 200;
const MOST_LINES = 2;
/** The title of a report may have more lines: it is larger by so much. */
const TITLE = 1.5;
const MOST_TITLE_LINES = 3;
/** At most so much of the text is larger than running text. */
const LARGEST = 0.2;
/** Where more of the paragraphs would be headings than this share, size does not mean one: a form, a table. */
const MOST_PARAGRAPHS = 0.4;
const DEEPEST = 3;
const DEEPEST_BOOKMARK = 6;

const rounded = (size: number): number => Math.round(size * 2) / 2;
const lettersOf = ({ lines }: Paragraph): number => lines.reduce((sum, { text }) => sum + text.length, 0);

/** The size of running text: most of the text has it, or is no larger. */
function bodySize(paragraphs: readonly Paragraph[]): number {
  const letters = new Map<number, number>();
  let total = 0;
  for (const { lines } of paragraphs) {
    for (const { size, text } of lines) {
      letters.set(rounded(size), (letters.get(rounded(size)) ?? 0) + text.length);
      total += text.length;
    }
  }
  const [most = 0] = [...letters].sort((a, b) => b[1] - a[1])[0] ?? [];
  let larger = 0;
  for (const [size, count] of [...letters].sort((a, b) => b[0] - a[0])) {
    larger += count;
    // Footnotes and tables can have the most letters of one size.
    if (larger > LARGEST * total) return Math.max(size, most);
  }
  return most;
}

/** The levels that the document's own table of contents gives, if it names any of the paragraphs. */
function bookmarkedLevels(paragraphs: readonly Paragraph[]): Map<Paragraph, number> {
  const levels = new Map<Paragraph, number>();
  for (const paragraph of paragraphs) {
    const level = paragraph.lines[0]?.bookmark?.level;
    if (level !== undefined) levels.set(paragraph, Math.min(level, DEEPEST_BOOKMARK));
  }
  return levels;
}

/**
 * The heading levels of a document: those of its own table of contents, or by font size: short paragraphs that are set larger than
 * nearly all of the text, the largest on level 1. Empty where neither says anything clear.
 */
export function headingLevels(paragraphs: readonly Paragraph[]): Map<Paragraph, number> {
  const bookmarked = bookmarkedLevels(paragraphs);
  if (bookmarked.size > 0) return bookmarked;
  const body = bodySize(paragraphs);
  const headings = paragraphs.filter(
    (one) => one.size >= body * LARGER && one.lines[0]?.upright === true && isHeading(one, body),
  );
  if (headings.length > Math.max(1, paragraphs.length * MOST_PARAGRAPHS)) return new Map();
  const sizes = [...new Set(headings.map(({ size }) => rounded(size)))].sort((a, b) => b - a);
  return new Map(
    headings.map((one) => [one, Math.min(DEEPEST, sizes.indexOf(rounded(one.size)) + 1)] as const),
  );
}

function isHeading(paragraph: Paragraph, body: number): boolean {
  const { lines } = paragraph;
  return (
    lines.length <= (paragraph.size >= body * TITLE ? MOST_TITLE_LINES : MOST_LINES) &&
    lettersOf(paragraph) <= LONGEST &&
    lines.some(({ text }) => /\p{L}{2}/u.test(text)) &&
    lines.every(({ text }) => !text.includes('\t') || /^[\p{N}.]{1,10}\t[^\t]+$/u.test(text))
  );
}
