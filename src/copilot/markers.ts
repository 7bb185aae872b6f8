/** A citation marker in a reply: `[2]`, `[1, 3]` or `[1-3]`. */
export interface Marker {
  numbers: number[];
  /** It follows a letter or a digit at once, as an index does: `items[3]`. */
  glued: boolean;
  /** Of the whole marker in the text, end exclusive. */
  start: number;
  end: number;
}

interface Range {
  start: number;
  end: number;
}

// Three digits at most: a year in brackets is no marker.
const MARKER = /\[(\d{1,3}(?: ?[-–—] ?\d{1,3})?(?: ?[,;] ?\d{1,3}(?: ?[-–—] ?\d{1,3})?){0,19})\]/g;
const LONGEST_RANGE = 20;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LINK_TARGET = /\]\([^()\n]{0,2000}\)/g;
const DEFINITION = /^ {0,3}\[(\d{1,3})\]:/gm;

/** The markers of a reply in Markdown. Code, links and their definitions have none, whatever stands in them. */
export function findMarkers(text: string): Marker[] {
  const excluded = [...codeRanges(text), ...linkRanges(text)].sort((a, b) => a.start - b.start);
  const defined = new Set([...text.matchAll(DEFINITION)].map((match) => match[1]));
  const markers: Marker[] = [];
  let next = 0;
  let coveredTo = 0;
  for (const match of text.matchAll(MARKER)) {
    const start = match.index;
    const end = start + match[0].length;
    for (let range = excluded[next]; range && range.start < end; range = excluded[++next]) {
      coveredTo = Math.max(coveredTo, range.end);
    }
    const label = match[1] ?? '';
    if (start < coveredTo || text.charAt(end) === '(' || defined.has(label)) continue;
    const numbers = label.split(/[,;]/).flatMap(numbersOf);
    markers.push({ numbers, glued: /[\p{L}\p{N}_]/u.test(text.charAt(start - 1)), start, end });
  }
  return markers;
}

/** The numbers of `3` or `3-5`; of a range that is none, or too long, its ends. */
function numbersOf(label: string): number[] {
  const [from = 0, to = from] = label.split(/[-–—]/).map(Number);
  if (to === from) return [from];
  const length = to - from + 1;
  return length < 2 || length > LONGEST_RANGE ? [from, to] : Array.from({ length }, (_, i) => from + i);
}

/** A text without its markers; an index into something stays. */
export function withoutMarkers(text: string): string {
  const pieces: string[] = [];
  let written = 0;
  for (const marker of findMarkers(text).filter(({ glued }) => !glued)) {
    pieces.push(text.slice(written, cutFrom(text, marker)));
    written = marker.end;
  }
  return pieces.join('') + text.slice(written);
}

/** Where a marker that is taken out begins: it goes with the blank before it, unless that would join two words. */
export function cutFrom(text: string, marker: Marker): number {
  const blank = text.charAt(marker.start - 1) === ' ';
  return blank && !/[\p{L}\p{N}[]/u.test(text.charAt(marker.end)) ? marker.start - 1 : marker.start;
}

function linkRanges(text: string): Range[] {
  return [...text.matchAll(LINK_TARGET)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Fenced code blocks and code spans. */
function codeRanges(text: string): Range[] {
  const ranges: Range[] = [];
  let open: { start: number; mark: string } | null = null;
  let blockStart = 0;
  let at = 0;
  const endBlock = (end: number): void => {
    ranges.push(...codeSpans(text, blockStart, end));
  };
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (open) {
      const closes = mark?.startsWith(open.mark) && line.trim() === mark;
      if (closes) {
        ranges.push({ start: open.start, end: at + line.length });
        open = null;
        blockStart = at + line.length;
      }
    } else if (mark) {
      endBlock(at);
      open = { start: at, mark };
    } else if (line.trim() === '') {
      endBlock(at);
      blockStart = at;
    }
    at += line.length + 1;
  }
  if (open) ranges.push({ start: open.start, end: text.length });
  else endBlock(text.length);
  return ranges;
}

/** Code spans of one block: from a run of backticks to the next run of the same length. */
function codeSpans(text: string, start: number, end: number): Range[] {
  const runs = [...text.slice(start, end).matchAll(/`+/g)];
  const lastOfLength = new Map(runs.map((run, index) => [run[0].length, index]));
  const spans: Range[] = [];
  for (let index = 0; index < runs.length; index++) {
    const run = runs[index];
    if (!run || (lastOfLength.get(run[0].length) ?? 0) <= index) continue;
    let closing = index + 1;
    while (runs[closing]?.[0].length !== run[0].length) closing++;
    spans.push({ start: start + run.index, end: start + (runs[closing]?.index ?? 0) + run[0].length });
    index = closing;
  }
  return spans;
}
