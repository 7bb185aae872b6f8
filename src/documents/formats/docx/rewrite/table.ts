import { child, childValue, element, elements, findAll, integer, toggle } from '../package/dom.ts';
import type { XmlElement, XmlNode } from '../package/xml.ts';
import type { Context } from './context.ts';
import type { StyleSheet } from './styles.ts';

/** More columns than any page holds: a hostile span cannot ask for more. */
const MAX_SPAN = 200;
/** The bit of a table's look that asks for the style of its first row (ECMA-376 part 1, 17.4.55). */
const FIRST_ROW = 0x20;

function span(cell: XmlElement): number {
  return Math.max(1, Math.min(integer(childValue(child(cell, 'w:tcPr'), 'w:gridSpan')) ?? 1, MAX_SPAN));
}

function rowsOf(table: XmlElement): XmlElement[] {
  return elements(table).filter((node) => node.name === 'w:tr');
}

function cellsOf(row: XmlElement): XmlElement[] {
  return elements(row).filter((node) => node.name === 'w:tc');
}

function emptyCell(columns: number): XmlElement {
  return element('w:tc', {}, columns > 1 ? [cellProperties(columns, undefined)] : []);
}

function cellProperties(columns: number, vertical: string | undefined): XmlElement {
  const properties: XmlElement[] = [];
  if (columns > 1) properties.push(element('w:gridSpan', { 'w:val': String(columns) }));
  if (vertical !== undefined) properties.push(element('w:vMerge', { 'w:val': vertical }));
  return element('w:tcPr', {}, properties);
}

/** A cell that is merged downwards begins with `restart` and goes on with `continue`. */
function verticalMerge(cell: XmlElement): string | undefined {
  const merge = child(child(cell, 'w:tcPr'), 'w:vMerge');
  if (merge === undefined) return undefined;
  return merge.attributes.get('w:val') === 'restart' ? 'restart' : 'continue';
}

/** Old documents merge cells sideways by marking each of them. */
function continuesLeft(cell: XmlElement): boolean {
  const merge = child(child(cell, 'w:tcPr'), 'w:hMerge');
  return merge !== undefined && merge.attributes.get('w:val') !== 'restart';
}

/** Rewrites the content of a cell. */
type BlockRewriter = (nodes: readonly XmlNode[], context: Context, isBody: boolean) => XmlNode[];

function rewriteRow(
  row: XmlElement,
  isHeader: boolean,
  context: Context,
  rewriteBlocks: BlockRewriter,
): XmlElement {
  const properties = child(row, 'w:trPr');
  const before = Math.min(integer(childValue(properties, 'w:gridBefore')) ?? 0, MAX_SPAN);
  const after = Math.min(integer(childValue(properties, 'w:gridAfter')) ?? 0, MAX_SPAN);
  const cells: XmlElement[] = [];
  const widths: number[] = [];
  for (const cell of cellsOf(row)) {
    const content = rewriteBlocks(cell.children, context, false);
    const last = cells.at(-1);
    if (last !== undefined && continuesLeft(cell)) {
      widths[widths.length - 1] = (widths.at(-1) ?? 1) + span(cell);
      last.children = last.children.concat(content);
      last.children[0] = cellProperties(widths.at(-1) ?? 1, verticalMerge(cell));
      continue;
    }
    cells.push(element('w:tc', {}, [cellProperties(span(cell), verticalMerge(cell)), ...content]));
    widths.push(span(cell));
  }
  const lead = before > 0 ? [emptyCell(before)] : [];
  const trail = after > 0 ? [emptyCell(after)] : [];
  const header = isHeader ? [element('w:trPr', {}, [element('w:tblHeader')])] : [];
  return element('w:tr', {}, [...header, ...lead, ...cells, ...trail]);
}

/** Whether the table's look, and its style, set the first row apart. The look says so in words or, before Word 2010, in bits. */
function firstRowIsHeader(table: XmlElement, styles: StyleSheet): boolean {
  const properties = child(table, 'w:tblPr');
  const look = child(properties, 'w:tblLook')?.attributes;
  const bits = Number.parseInt(look?.get('w:val') ?? '', 16);
  const word = look?.get('w:firstRow');
  const asked =
    word === undefined ? (bits & FIRST_ROW) !== 0 : word === '1' || word === 'true' || word === 'on';
  return asked && styles.table(childValue(properties, 'w:tblStyle')).firstRow === true;
}

/**
 * How many rows at the top are the table's header: those that are marked to be repeated on every page, or the first one where
 * the style says so; and with them the rows that their cells reach down to. Never all rows.
 */
function countHeaderRows(table: XmlElement, rows: readonly XmlElement[], styles: StyleSheet): number {
  const isMarked = (row: XmlElement) => toggle(child(row, 'w:trPr'), 'w:tblHeader') === true;
  const marked = rows.findIndex((row) => !isMarked(row));
  const own = marked === 0 && firstRowIsHeader(table, styles) ? 1 : marked;
  if (own <= 0) return 0;
  const below = rows.slice(own);
  const reached = below.findIndex((row) => !cellsOf(row).some((cell) => verticalMerge(cell) === 'continue'));
  return reached === -1 ? (own < rows.length ? own : 0) : own + reached;
}

function hasContent(node: XmlElement): boolean {
  return findAll(node, 'w:r').length > 0;
}

/** A row that only makes room. A row in which merged cells begin or end is needed for their height. */
function isEmptyRow(row: XmlElement): boolean {
  return !hasContent(row) && findAll(row, 'w:vMerge').length === 0;
}

/**
 * Rewrites a table with spans in the one form that mammoth reads. A table of a single cell is a frame, not a table: its
 * content is given instead. An empty table is dropped.
 */
export function rewriteTable(
  table: XmlElement,
  context: Context,
  isBody: boolean,
  rewriteBlocks: BlockRewriter,
): XmlNode[] {
  const rows = rowsOf(table);
  const [first] = rows;
  const only = rows.length === 1 && first !== undefined ? cellsOf(first) : [];
  if (only.length === 1 && only[0] !== undefined) return rewriteBlocks(only[0].children, context, isBody);
  const headerRows = countHeaderRows(table, rows, context.styles);
  const rewritten = element(
    'w:tbl',
    {},
    rows
      .map((row, index) => rewriteRow(row, index < headerRows, context, rewriteBlocks))
      .filter((row) => !isEmptyRow(row)),
  );
  if (!hasContent(rewritten)) return [];
  context.tally.source.tables += 1;
  if (isBody) {
    const none = { label: '', numId: undefined, bookmarks: [], setIn: false, inContents: false };
    context.outline.push({ element: undefined, text: '', kind: 'other', bold: false, size: 0, ...none });
  }
  return [rewritten];
}
