import { oneLine } from '../../../text/one-line.ts';
import { COLUMNS } from './stored-table.ts';
import type { Table } from './table.ts';

/**
 * Tables are written as records when their header or their mean row is longer, in characters: a leaf has about 200 tokens,
 * and the header is in front of it twice, as its heading and as its first row.
 */
const LONGEST_HEADER = 250;
const LONGEST_ROW = 400;
const LONGEST_NAME = 200;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they end lines, or are of no use in a text
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g;

/**
 * A table as Markdown, with what stands above it in front. Short rows make a GFM table, filled up to its width. Long ones
 * become records behind a line that names the columns: `Name: value` for the first cell of a row, `- Name: value` for the
 * others that are not empty, and blank lines between. `stored-table.ts` reads both.
 *
 * @param most UTF-16 code units that are of use: the text ends early when it has more
 */
export function writeTable(table: Table, most: number): string {
  const names = table.names.map(inRow);
  const lines = table.remarks.map(inRow);
  if (lines.length > 0) lines.push('');
  const isWide = needsRecords(table, rowLine(names).length, most);
  if (isWide) lines.push(`${COLUMNS}${names.join(' | ')}`);
  else lines.push(rowLine(names), `|${' --- |'.repeat(names.length)}`);
  const rowText = isWide ? recordWriter(names) : tableRowWriter(names.length);
  let length = 0;
  for (const line of lines) length += line.length;
  for (const cells of table.rows()) {
    if (length > most) break;
    const row = rowText(cells);
    length += row.length + 1;
    lines.push(row);
  }
  return `${lines.join('\n')}\n`;
}

/** Whether rows become records; not when these would be more than can be stored. */
function needsRecords({ length, rowCount }: Table, header: number, most: number): boolean {
  if (header <= LONGEST_HEADER && length <= rowCount * LONGEST_ROW) return false;
  return length + rowCount * header <= most;
}

const rowLine = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const tableRowWriter = (width: number) => (cells: readonly string[]) =>
  rowLine(Array.from({ length: width }, (_, column) => inRow(cells[column] ?? '')));

function recordWriter(names: readonly string[]): (cells: readonly string[]) => string {
  const labels = names.map((name) => `${oneLine(name, LONGEST_NAME)}: `);
  return (cells) => {
    const parts: string[] = [];
    for (const [column, cell] of cells.entries()) {
      const value = inItem(cell);
      if (value !== '') parts.push(`${labels[column] ?? ''}${value}`);
    }
    return `\n${parts.join('\n- ')}`;
  };
}

/** A cell without control characters, its lines parted as given. All else stays as it is, to be found and quoted. */
function cellText(cell: string, lineBreak: string): string {
  const trimmed = cell.trim();
  if (!CONTROL.test(trimmed)) return trimmed;
  const lines = trimmed.split('\n').map((line) => line.replace(CONTROLS, ' ').trim());
  return lines.filter((line) => line !== '').join(lineBreak);
}

/** In a row of a table, which is one line, and where a bare bar would end the cell. */
const inRow = (cell: string): string => cellText(cell, '<br>').replaceAll('|', '\\|');

/** In an item of a list, where indented lines go on with it. */
const inItem = (cell: string): string => cellText(cell, '\n  ');
