import { storableText } from '../../../text/storable.ts';

/** A piece of text as pdf.js gives it, in content order. */
export interface TextItem {
  str: string;
  /** Matrix of the text: its font size is in the third and fourth number, its place in the last two. */
  transform: readonly number[];
  width: number;
  /** The next piece stands on another line. */
  hasEOL: boolean;
}

/** A line of a page. Lengths are in points, `y` grows upwards. */
export interface TextLine {
  text: string;
  x: number;
  right: number;
  y: number;
  /** The font size of most of its letters. */
  size: number;
  /** False for text that is turned, such as a note along the margin. */
  upright: boolean;
  /** The entry of the document's table of contents that it spells, alone or with its neighbours. */
  bookmark?: { level: number };
}

/** A gap of this many times the font size parts columns rather than words. */
const COLUMN_GAP = 1.5;
/** Raised and lowered text, and cells set a little higher, belong to their line. */
const SAME_LINE = 0.5;

interface OpenLine extends TextLine {
  letters: Map<number, number>;
  /** Where the last piece stands. */
  last: { x: number; right: number };
}

/** The lines of a page in content order, which is reading order in nearly all files; a tab stands between columns. */
export function pageLines(items: readonly TextItem[]): TextLine[] {
  const lines: OpenLine[] = [];
  let open: OpenLine | undefined;
  for (const item of items) {
    if (item.str !== '') {
      if (open === undefined) {
        open = opened(item);
        const before = lines.at(-1);
        if (before !== undefined && continues(before, open)) open = lines.pop();
      }
      if (open !== undefined) append(open, item);
    }
    if (item.hasEOL && open !== undefined) {
      lines.push(open);
      open = undefined;
    }
  }
  if (open !== undefined) lines.push(open);
  return lines.map(closed).filter((line) => line.text !== '');
}

function sizeOf({ transform }: TextItem): number {
  return Math.hypot(transform[2] ?? 0, transform[3] ?? 0);
}

function opened(item: TextItem): OpenLine {
  const [a = 1, b = 0, , , x = 0, y = 0] = item.transform;
  const upright = a > 0 && Math.abs(b) < 0.01 * Math.abs(a);
  return { text: '', x, right: x, y, size: sizeOf(item), upright, letters: new Map(), last: { x, right: x } };
}

function continues(before: TextLine, next: TextLine): boolean {
  const size = Math.max(before.size, next.size);
  return (
    before.upright && next.upright && Math.abs(before.y - next.y) < SAME_LINE * size && next.x >= before.right
  );
}

function append(line: OpenLine, item: TextItem): void {
  const size = sizeOf(item);
  const x = item.transform[4] ?? line.right;
  const isBlank = item.str.trim() === '';
  // Text from right to left goes on before the piece that it follows.
  const gap = isBlank ? item.width : Math.max(x - line.last.right, line.last.x - x - item.width);
  const isOpen = line.text !== '' && !/\s$/.test(line.text);
  if (line.upright && gap > COLUMN_GAP * line.size && line.text !== '') {
    line.text = `${line.text.trimEnd()}\t`;
  } else if (isOpen && (isBlank || gap > 0.15 * line.size)) {
    line.text += ' ';
  }
  if (!isBlank) {
    line.text += item.str;
    line.letters.set(size, (line.letters.get(size) ?? 0) + item.str.length);
  }
  line.last = { x, right: x + item.width };
  line.x = Math.min(line.x, x);
  line.right = Math.max(line.right, x + item.width);
}

function closed({ letters, last: _, ...line }: OpenLine): TextLine {
  let most = 0;
  let size = line.size;
  for (const [one, count] of letters) {
    if (count > most) [most, size] = [count, one];
  }
  return { ...line, text: storableText(line.text).trim(), size };
}
