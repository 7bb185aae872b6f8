/** What was wrong with the quotes of a text. */
export interface QuoteFault {
  /** Line, from 1, of a quote that opens a cell and is closed nowhere. */
  openQuoteLine?: number;
}

const LINE_END = 10;
const QUOTE = 34;
const SPACE = 32;

/**
 * The rows of a delimited text whose lines end with LF, by RFC 4180 and by what programs write besides: spaces around
 * quoted cells, and quotes in a cell that are not doubled (a quote closes a cell only where a delimiter or the line's end
 * follows). From a quote that is closed nowhere, which is noted in `fault`, quotes are taken as they stand. Time grows in
 * proportion to the length of the text, whatever is in it, and nothing is kept of a row that was given.
 *
 * @param delimiter one character
 */
export function* readRows(text: string, delimiter: string, fault: QuoteFault = {}): Generator<string[]> {
  const separator = delimiter.charCodeAt(0);
  let isQuoting = true;
  let at = 0;

  const isCellEnd = (offset: number): boolean => {
    const code = text.charCodeAt(offset);
    return code === separator || code === LINE_END || offset >= text.length;
  };

  const plainCell = (): string => {
    const start = at;
    let code = text.charCodeAt(at);
    while (code !== separator && code !== LINE_END && at < text.length) code = text.charCodeAt(++at);
    return text.slice(start, at);
  };

  /** Reads from behind an opening quote; null, and nothing read, when no quote closes the cell. */
  const quotedCell = (start: number): string | null => {
    let hasDoubled = false;
    for (let quote = text.indexOf('"', start); quote !== -1; quote = text.indexOf('"', quote + 1)) {
      if (text.charCodeAt(quote + 1) === QUOTE) {
        hasDoubled = true;
        quote++;
        continue;
      }
      const end = behindSpaces(text, quote + 1);
      if (!isCellEnd(end)) continue;
      at = end;
      const content = text.slice(start, quote);
      return hasDoubled ? content.replaceAll('""', '"') : content;
    }
    return null;
  };

  const nextCell = (): string => {
    const start = isQuoting ? behindSpaces(text, at) : at;
    if (!isQuoting || text.charCodeAt(start) !== QUOTE) return plainCell();
    const cell = quotedCell(start + 1);
    if (cell !== null) return cell;
    isQuoting = false;
    fault.openQuoteLine = lineNumber(text, start);
    return plainCell();
  };

  while (at < text.length) {
    const cells = [nextCell()];
    while (text.charCodeAt(at) === separator) {
      at++;
      cells.push(nextCell());
    }
    at++;
    yield cells;
  }
}

function lineNumber(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

function behindSpaces(text: string, offset: number): number {
  let at = offset;
  while (text.charCodeAt(at) === SPACE) at++;
  return at;
}

/** How many cells a row has up to its last one with anything in it; 0 for an empty row. */
export function filledWidth(cells: readonly string[]): number {
  let width = cells.length;
  while (width > 0 && (cells[width - 1] ?? '').trim() === '') width--;
  return width;
}
