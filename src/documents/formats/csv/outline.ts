import { oneLine } from '../../../text/one-line.ts';
import {
  MAX_BLURB,
  MAX_ITEM_TEXT,
  type OutlineItem,
  type OutlineItems,
  type OutlineLimits,
} from '../../structure/outline-item.ts';
import { pruneTree } from '../../structure/prune-tree.ts';
import { lineAt, rowCells, type TableParts } from './stored-table.ts';

/** Rows of the smallest nodes, and how many of these make one of the next size. */
const SMALLEST = 100;
const FACTOR = 10;
const LONGEST_ROW = 115;

/** A node before its texts: the rows from `first` to before `last`. */
interface RowRange {
  parent: number;
  depth: number;
  first: number;
  last: number;
}

/**
 * A node for the table, named by its columns. Below it are nodes for each hundred rows if it has more, and above these for
 * each thousand and so on. A node shows its first and its last row, so that in a sorted table one sees where to look.
 */
export function tableOutline(text: string, table: TableParts, limits: OutlineLimits): OutlineItems {
  const ranges = rowRanges(table.rowStarts.length - 1);
  const depths = ranges.map(({ depth }) => depth);
  const isKept = pruneTree(depths, limits);
  const items: OutlineItem[] = [];
  const places: number[] = [];
  for (const [i, { parent, depth, first, last }] of ranges.entries()) {
    if (!isKept[i]) continue;
    const isTable = parent === -1;
    places[i] = items.length;
    items.push({
      parent: places[parent] ?? -1,
      depth,
      level: depth,
      text: isTable ? oneLine(table.title, MAX_ITEM_TEXT) : `Rows ${first + 1} to ${last}`,
      blurb: isTable ? tableBlurb(text, table) : rowsBlurb(text, table, first, last),
      charStart: isTable ? 0 : (table.rowStarts[first] ?? 0),
      charEnd: isTable ? text.length : (table.rowStarts[last] ?? text.length),
    });
  }
  return { items, truncated: items.length < ranges.length };
}

function rowRanges(count: number): RowRange[] {
  const ranges: RowRange[] = [];
  const add = (parent: number, depth: number, first: number, last: number, size: number): void => {
    const index = ranges.push({ parent, depth, first, last }) - 1;
    for (let at = first; size >= SMALLEST && last - first > size && at < last; at += size) {
      add(index, depth + 1, at, Math.min(last, at + size), size / FACTOR);
    }
  };
  let largest = SMALLEST;
  while (largest * FACTOR < count) largest *= FACTOR;
  add(-1, 1, 0, count, largest);
  return ranges;
}

function tableBlurb(text: string, { names, rowStarts }: TableParts): string {
  const count = rowStarts.length - 1;
  const size = `${amount(count, 'row')}, ${amount(names.length, 'column')}`;
  return count === 0 ? size : `${size}; the first row: ${rowInWords(text, rowStarts[0] ?? 0)}`;
}

const amount = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function rowsBlurb(text: string, { rowStarts }: TableParts, first: number, last: number): string {
  const line = `${rowInWords(text, rowStarts[first] ?? 0)} … ${rowInWords(text, rowStarts[last - 1] ?? 0)}`;
  return oneLine(line, MAX_BLURB);
}

/** The row's first line, of a table its cells. */
function rowInWords(text: string, start: number): string {
  const [line] = lineAt(text, start);
  const beginning = line.slice(0, 4 * MAX_BLURB).toWellFormed();
  return oneLine(line.startsWith('|') ? rowCells(beginning).join(', ') : beginning, LONGEST_ROW);
}
