const NUMBER = /^[-+(]?\s?[$€£¥]?\s?\d[\d.,'\s]*%?\)?$/;
const DATE = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ][\d:.,Z+-]*)?$/;
const YEAR = /^(?:19|20)\d\d$/;
const LONGEST_TYPED = 40;
/** A column is of a kind when all but a few of its cells are. */
const MOST = 0.8;

type Kind = 'year' | 'date' | 'number' | 'text';

function kindOf(cell: string): Kind {
  if (cell.length > LONGEST_TYPED) return 'text';
  if (YEAR.test(cell)) return 'year';
  if (DATE.test(cell)) return 'date';
  return NUMBER.test(cell) ? 'number' : 'text';
}

/**
 * Whether the first row names the columns, by a vote of the columns. One of numbers or dates under a word, or under a
 * year when it holds other things than years, says yes. One whose first cell is of the same kind as the others, or comes
 * again below, says no. When nothing is said it does: most files have a header.
 *
 * @param rows the first ones of the table, the row in question at their head
 */
export function hasHeader([first = [], ...others]: readonly string[][]): boolean {
  let votes = 0;
  first.forEach((cell, column) => {
    const name = cell.trim();
    const values = others.map((row) => (row[column] ?? '').trim()).filter((value) => value !== '');
    if (name !== '') votes += voteOf(name, values);
  });
  return votes >= 0;
}

function voteOf(name: string, values: readonly string[]): number {
  const kind = kindOf(name);
  if (values.length === 0) return kind === 'number' || kind === 'date' ? -1 : 0;
  const shareOf = (wanted: Kind): number =>
    values.filter((value) => kindOf(value) === wanted).length / values.length;
  if (kind !== 'text' && shareOf(kind) >= MOST) return -1;
  if (kind === 'text' || kind === 'year') {
    if (shareOf('text') <= 1 - MOST) return 1;
    return values.includes(name) ? -1 : 0;
  }
  return 0;
}

/**
 * A name for each column: that of the header, `Column 3` where there is none, and `Amount (2)` for the second of a name.
 *
 * @param header empty for a table without
 */
export function columnNames(header: readonly string[], width: number): string[] {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return Array.from({ length: width }, (_, column) => {
    const given = header[column] ?? '';
    const base = given.trim() === '' ? `Column ${column + 1}` : given.trim();
    let name = base;
    let count = counts.get(base) ?? 1;
    while (used.has(name)) name = `${base} (${++count})`;
    counts.set(base, count);
    used.add(name);
    return name;
  });
}
