import { ConversionError } from '../converted.ts';
import type { Dialect } from './delimiter.ts';
import { columnNames, hasHeader } from './header.ts';
import { filledWidth, type QuoteFault, readRows } from './read-rows.ts';

const SAMPLE_ROWS = 50;
/** Titles and remarks stand above a table in a few lines. */
const MOST_REMARKS = 20;
/** Excel has 16,384 columns at most. */
const MOST_COLUMNS = 100_000;

/** A delimited text as a table. */
export interface Table {
  /** What stands above it: a title, comments. */
  remarks: string[];
  names: string[];
  /** Cells of its rows, without empty rows; read anew each time, so that no more than a row is in memory. */
  rows(): Iterable<string[]>;
  rowCount: number;
  /** Rows with more or fewer cells than the header or, without one, the first row; and the first of them, from 1. */
  ragged: { count: number; first: number };
  /** UTF-16 code units of all cells. */
  length: number;
  openQuoteLine: number | undefined;
}

/**
 * Reads a text for what it holds, in one run over it; undefined when no cell has anything in it.
 *
 * @throws ConversionError `wrong_content`
 */
export function readTable({ text, delimiter }: Dialect): Table | undefined {
  const fault: QuoteFault = {};
  const sample = firstRows(filledRows(text, delimiter, {}), SAMPLE_ROWS);
  const remarks = remarksAbove(sample);
  const body = sample.slice(remarks.length);
  const [first] = body;
  if (!first) return undefined;
  const header = hasHeader(body) ? first : [];
  const skipped = remarks.length + (header === first ? 1 : 0);
  const regular = header === first ? filledWidth(header) : first.length;

  let width = regular;
  let rowCount = 0;
  let length = 0;
  const ragged = { count: 0, first: 0 };
  const rows = () => skip(filledRows(text, delimiter, fault), skipped);
  for (const cells of rows()) {
    rowCount++;
    const filled = filledWidth(cells);
    if (filled > regular || cells.length < regular) {
      ragged.count++;
      if (ragged.count === 1) ragged.first = rowCount;
    }
    width = Math.max(width, filled);
    for (const cell of cells) length += cell.length;
  }
  if (width > MOST_COLUMNS) {
    throw new ConversionError(
      'wrong_content',
      `The file has a row of ${width} cells, and a table has at most ${MOST_COLUMNS}: check where its lines end.`,
    );
  }
  const { openQuoteLine } = fault;
  return { remarks, names: columnNames(header, width), rows, rowCount, ragged, length, openQuoteLine };
}

function* filledRows(text: string, delimiter: string, fault: QuoteFault): Generator<string[]> {
  for (const cells of readRows(text, delimiter, fault)) if (filledWidth(cells) > 0) yield cells;
}

function firstRows(rows: Iterable<string[]>, most: number): string[][] {
  const found: string[][] = [];
  for (const cells of rows) {
    found.push(cells);
    if (found.length === most) break;
  }
  return found;
}

function* skip(rows: Iterable<string[]>, count: number): Generator<string[]> {
  let index = 0;
  for (const cells of rows) if (index++ >= count) yield cells;
}

/** Rows of a single cell above the first one that has more. */
function remarksAbove(rows: readonly string[][]): string[] {
  const start = rows.findIndex((cells) => filledWidth(cells) > 1);
  return start > MOST_REMARKS ? [] : rows.slice(0, Math.max(0, start)).map(([cell = '']) => cell);
}
