import { oneLine } from '../../../text/one-line.ts';

/** Where the parts of a stored table stand in its text. */
export interface TableParts {
  /** Names of the columns. */
  names: string[];
  /** Names of the columns in one line. */
  title: string;
  /** Where the header starts; what comes before are remarks. */
  start: number;
  headerEnd: number;
  /** Where the rows start, and the text's length at the end. */
  rowStarts: number[];
  /** Rows are records of several lines rather than lines of the table. */
  isRecords: boolean;
}

/** Longer than the header of any table that is not written as records. */
const LONGEST_TITLE = 400;
const DIVIDER = /^\|(?: --- \|)+$/;
/** What the names of the columns stand behind in front of records. */
export const COLUMNS = 'Columns: ';

/** Finds the table in a text as `write-table.ts` writes it; undefined when there is none. */
export function findTable(text: string): TableParts | undefined {
  const start = startOfLine(text, '| ');
  const [header, headerLineEnd] = lineAt(text, start);
  const [divider, headerEnd] = lineAt(text, headerLineEnd);
  if (start === -1 || !DIVIDER.test(divider)) return findRecords(text);
  return partsOf(rowCells(header), { start, headerEnd, rowStarts: rowStarts(text, headerEnd, '\n') }, false);
}

function findRecords(text: string): TableParts | undefined {
  const start = startOfLine(text, COLUMNS);
  if (start === -1) return undefined;
  const [header, headerLineEnd] = lineAt(text, start);
  const headerEnd = lineAt(text, headerLineEnd)[1];
  const names = rowCells(header.slice(COLUMNS.length));
  return partsOf(names, { start, headerEnd, rowStarts: rowStarts(text, headerEnd, '\n\n') }, true);
}

const partsOf = (
  names: string[],
  place: Pick<TableParts, 'start' | 'headerEnd' | 'rowStarts'>,
  isRecords: boolean,
): TableParts => ({ names, title: oneLine(names.join(', '), LONGEST_TITLE), ...place, isRecords });

/** Where the first line starts that begins so; -1 without one. */
function startOfLine(text: string, beginning: string): number {
  if (text.startsWith(beginning)) return 0;
  const at = text.indexOf(`\n${beginning}`);
  return at === -1 ? -1 : at + 1;
}

/** The line at an offset without its end, and where the next one starts. */
export function lineAt(text: string, start: number): [line: string, next: number] {
  const end = text.indexOf('\n', start);
  return end === -1 ? [text.slice(start), text.length] : [text.slice(start, end), end + 1];
}

/** The cells of a table's line as text. */
export const rowCells = (line: string): string[] =>
  line
    .replace(/^\| /, '')
    .replace(/ \|$/, '')
    .split(' | ')
    .map((cell) => cell.replaceAll('\\|', '|').replaceAll('<br>', ' '));

/** Where the rows start that follow each other from an offset on, and the text's length at the end. */
function rowStarts(text: string, from: number, separator: string): number[] {
  const starts: number[] = [];
  for (let at = from; at < text.length; ) {
    starts.push(at);
    const end = text.indexOf(separator, at);
    at = end === -1 ? text.length : end + separator.length;
  }
  starts.push(text.length);
  return starts;
}
