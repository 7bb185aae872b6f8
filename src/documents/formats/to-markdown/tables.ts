import { escapeHtml } from './escape.ts';
import { childNodes, type HtmlNode, hasClass, within } from './html-node.ts';

const ROW = new Set(['TR']);
const CELL = new Set(['TD', 'TH']);
const NOT_IN_A_CELL = new Set(['TABLE', 'UL', 'OL', 'PRE', 'BLOCKQUOTE']);
const SECTIONS = new Set(['THEAD', 'TBODY']);

function rowsOf(table: HtmlNode): HtmlNode[] {
  return [...childNodes(table)].flatMap((node) =>
    SECTIONS.has(node.nodeName)
      ? [...childNodes(node)].filter((row) => ROW.has(row.nodeName))
      : ROW.has(node.nodeName)
        ? [node]
        : [],
  );
}

function cellsOf(row: HtmlNode): HtmlNode[] {
  return [...childNodes(row)].filter((node) => CELL.has(node.nodeName));
}

/** Cells that short rows may be filled up with: for each real one, and for any table. */
const FILLING = { share: 1, always: 1_000 };

/** One long row would make a long line of every short one. */
function isNearlyRectangular(rows: readonly HtmlNode[][]): boolean {
  const cells = rows.reduce((sum, row) => sum + row.length, 0);
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 1);
  return columns * rows.length <= cells * (1 + FILLING.share) + FILLING.always;
}

/** GFM has one line a row and one cell a column: it can say neither merged cells nor lists, code or tables in a cell. */
export function fitsGfm(table: HtmlNode): boolean {
  const rows = rowsOf(table).map(cellsOf);
  const isPlain = (cell: HtmlNode) =>
    cell.getAttribute('colspan') === null &&
    cell.getAttribute('rowspan') === null &&
    within(cell, NOT_IN_A_CELL).next().done;
  return isNearlyRectangular(rows) && rows.every((row) => row.every(isPlain));
}

/** A GFM table from cells that are Markdown already; the first row is its header, short rows are filled up. */
export function gfmTable(table: HtmlNode, markdownOf: (cell: HtmlNode) => string): string {
  const rows = rowsOf(table).map((row) => cellsOf(row).map(markdownOf));
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 1);
  const lines = rows.map(
    (row) => `| ${[...row, ...Array<string>(columns - row.length).fill('')].join(' | ')} |`,
  );
  lines.splice(1, 0, `|${' --- |'.repeat(columns)}`);
  return lines.join('\n');
}

/** Markdown of a cell on one line: paragraphs and line breaks become `<br>`, bars are escaped. */
export function cellLine(markdown: string): string {
  return markdown
    .trim()
    .replace(/[ \t]*\n\s*/g, '<br>')
    .replace(/\|/g, '\\|');
}

const INLINE: Record<string, string> = {
  STRONG: 'strong',
  EM: 'em',
  S: 's',
  SUP: 'sup',
  SUB: 'sub',
  CODE: 'code',
};
const BLOCKS: Record<string, string> = { UL: 'ul', OL: 'ol', BLOCKQUOTE: 'blockquote', PRE: 'pre' };

function attribute(name: string, value: string | null): string {
  return value === null || value === '' ? '' : ` ${name}="${escapeHtml(value)}"`;
}

function inner(node: HtmlNode): string {
  return [...childNodes(node)].map(html).join('');
}

/** Paragraphs in a cell are told apart by line breaks: a `<p>` around each would triple the length of a table. */
function paragraphs(node: HtmlNode): string {
  let text = '';
  let afterParagraph = false;
  for (const next of childNodes(node)) {
    const part = html(next);
    if (part === '') continue;
    if (afterParagraph && next.nodeName === 'P') text += '<br>';
    text += part;
    afterParagraph = next.nodeName === 'P';
  }
  return text;
}

function html(node: HtmlNode): string {
  if (node.nodeType === 3) return escapeHtml((node.nodeValue ?? '').replace(/[ \t\r\n]+/g, ' '));
  const name = node.nodeName;
  const tag = INLINE[name] ?? BLOCKS[name];
  if (name === 'BR') return '<br>';
  if (name === 'TABLE') return htmlTable(node);
  if (name === 'PRE') return `<pre>${escapeHtml(node.textContent ?? '').replace(/\n/g, '&#10;')}</pre>`;
  if (name === 'LI') return `<li>${paragraphs(node)}</li>`;
  if (tag !== undefined) {
    const content = inner(node);
    return content === '' ? '' : `<${tag}>${content}</${tag}>`;
  }
  if (hasClass(node, 'label')) return '';
  if (hasClass(node, 'image')) return `<img${attribute('alt', node.textContent || 'Image')}>`;
  if (name === 'A') {
    const href = node.getAttribute('href');
    const note = noteNumber(node);
    if (note !== undefined) return `[^${note}]`;
    return href === null || href === '#' ? inner(node) : `<a${attribute('href', href)}>${inner(node)}</a>`;
  }
  return inner(node);
}

/** The number of the note that a link refers to. */
export function noteNumber(link: HtmlNode): string | undefined {
  if (!/^(foot|end)note-ref-/.test(link.getAttribute('id') ?? '')) return undefined;
  return /^\[(\d+)\]$/.exec(link.textContent ?? '')?.[1];
}

/** A table as compact HTML, a row a line, without blank lines (which would end the block). */
export function htmlTable(table: HtmlNode): string {
  const rows = rowsOf(table).map((row) => {
    const cells = cellsOf(row).map((cell) => {
      const tag = cell.nodeName.toLowerCase();
      const spans =
        attribute('colspan', cell.getAttribute('colspan')) +
        attribute('rowspan', cell.getAttribute('rowspan'));
      return `<${tag}${spans}>${paragraphs(cell).trim()}</${tag}>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<table>\n${rows.join('\n')}\n</table>`;
}
