import { ConversionError, type Converted, type FidelityReport, type Loss } from '../converted.ts';
import { decodeText } from '../text/decode.ts';
import { dialectOf } from './delimiter.ts';
import { readTable, type Table } from './table.ts';
import { writeTable } from './write-table.ts';

/** All of the text is there; what of it is a cell is in doubt. */
const SCORE_OF_BROKEN = 0.9;

/**
 * Converts delimited text to a Markdown table or to records. Rows that are too short or too long and quotes that are not
 * closed are read as far as they make sense, and reported.
 *
 * @param maxOutputBytes what is behind this many UTF-16 code units of text is left out
 * @throws ConversionError `unreadable_text`, `no_text`, `wrong_content`
 */
export function convertCsv(bytes: Uint8Array, maxOutputBytes: number): Converted<'csv'> {
  const table = readTable(dialectOf(decodeText(bytes).replace(/\r\n?/g, '\n')));
  if (!table) {
    throw new ConversionError(
      'no_text',
      'No cell of the table holds any text: there is nothing to search in it.',
    );
  }
  return { markdown: writeTable(table, maxOutputBytes), format: 'csv', fidelity: reportTable(table) };
}

function reportTable({ ragged, rowCount, openQuoteLine }: Table): FidelityReport {
  const losses: Loss[] = [];
  if (ragged.count > 0) {
    const detail = `Row ${ragged.first} is the first with more or fewer cells than the table has columns. Missing cells are empty, and no cell is left out.`;
    losses.push({ kind: 'ragged_row', count: ragged.count, detail });
  }
  if (openQuoteLine !== undefined) {
    const detail = `A quote that opens in line ${openQuoteLine} is closed nowhere. From there on quotes are read as part of the text.`;
    losses.push({ kind: 'open_quote', count: 1, detail });
  }
  const doubtful = openQuoteLine === undefined ? ragged.count / Math.max(1, rowCount) : 1;
  return {
    score: Math.floor((1 - (1 - SCORE_OF_BROKEN) * doubtful) * 1000) / 1000,
    counts: { tables: { source: 1, result: 1 }, rows: { source: rowCount, result: rowCount } },
    losses,
  };
}
