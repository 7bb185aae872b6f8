import { type QuoteFault, readRows } from './read-rows.ts';

/**
 * Of delimiters that fit equally well the first wins: commas stand in text and in numbers too, so that another character
 * that divides every row alike says more.
 */
const DELIMITERS = ['\t', ';', '|', ','] as const;
const SAMPLE_CHARS = 65_536;
const SAMPLE_ROWS = 100;
/** Excel's own first line; it belongs to no row. */
const EXCEL_HINT = /^"?sep=([^\w\s"]|\t)"?\n/i;

/** Where a delimited text starts, and by what its cells are divided. */
export interface Dialect {
  delimiter: string;
  /** The text; a first line that only names the delimiter is empty in it. */
  text: string;
}

/**
 * Tells the delimiter of a text whose lines end with LF: the one that Excel's `sep=` names, else the one that divides most
 * of the first rows into the same number of cells, quoted ones respected. A comma when none does.
 */
export function dialectOf(text: string): Dialect {
  const hint = EXCEL_HINT.exec(text.slice(0, 16));
  if (hint?.[1] !== undefined) return { delimiter: hint[1], text: text.slice(hint[0].length - 1) };
  const sample = text.slice(0, SAMPLE_CHARS);
  const isCut = sample.length < text.length;
  let best = { delimiter: ',', share: 0 };
  for (const delimiter of DELIMITERS) {
    const share = regularity(sampleWidths(sample, delimiter, isCut));
    if (share > best.share) best = { delimiter, share };
  }
  return { delimiter: best.delimiter, text };
}

function sampleWidths(sample: string, delimiter: string, isCut: boolean): number[] {
  const widths: number[] = [];
  const fault: QuoteFault = {};
  for (const cells of readRows(sample, delimiter, fault)) {
    // The end of the sample may have cut a quoted cell.
    if (widths.length === SAMPLE_ROWS || (isCut && fault.openQuoteLine !== undefined)) return widths;
    if (cells.length > 1 || cells[0] !== '') widths.push(cells.length);
  }
  return isCut ? widths.slice(0, -1) : widths;
}

/** The share of the rows that have the most frequent number of cells; 0 when that is a single cell. */
function regularity(widths: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1);
  const [[width, count] = [1, 0]] = [...counts].sort((a, b) => b[1] - a[1]);
  return width === 1 ? 0 : count / widths.length;
}
