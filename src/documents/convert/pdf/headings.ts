import type { Paragraph } from './paragraphs.ts';

const LARGER = 1.08;
const LONGEST = 200;
const MOST_LINES = 3;
/** If more of the text than this is larger than the rest, size does not mean a heading. */
const MOST_OF_TEXT = 0.2;
const DEEPEST = 3;

const rounded = (size: number): number => Math.round(size * 2) / 2;
const lettersOf = ({ lines }: Paragraph): number => lines.reduce((sum, { text }) => sum + text.length, 0);

/**
 * The heading levels of a document by font size: short paragraphs that are set larger than most of the text, the
 * largest on level 1. Empty where size says nothing clear.
 */
export function headingLevels(paragraphs: readonly Paragraph[]): Map<Paragraph, number> {
  const letters = new Map<number, number>();
  let total = 0;
  for (const paragraph of paragraphs) {
    const size = rounded(paragraph.size);
    const count = lettersOf(paragraph);
    letters.set(size, (letters.get(size) ?? 0) + count);
    total += count;
  }
  const [body = 0] = [...letters].sort((a, b) => b[1] - a[1])[0] ?? [];
  const larger = paragraphs.filter((one) => one.size >= body * LARGER && one.lines[0]?.upright === true);
  const share = larger.reduce((sum, one) => sum + lettersOf(one), 0) / Math.max(1, total);
  if (share > MOST_OF_TEXT) return new Map();
  const headings = larger.filter(isHeading);
  const sizes = [...new Set(headings.map(({ size }) => rounded(size)))].sort((a, b) => b - a);
  return new Map(
    headings.map((one) => [one, Math.min(DEEPEST, sizes.indexOf(rounded(one.size)) + 1)] as const),
  );
}

function isHeading(paragraph: Paragraph): boolean {
  const { lines } = paragraph;
  return (
    lines.length <= MOST_LINES &&
    lettersOf(paragraph) <= LONGEST &&
    lines.some(({ text }) => /\p{L}{2}/u.test(text)) &&
    lines.every(({ text }) => !text.includes('\t') || /^[\p{N}.]{1,10}\t[^\t]+$/u.test(text))
  );
}
