import TurndownService from 'turndown';
import { escapeText, linkDestination, unescapeNumber } from './escape.ts';
import { type HtmlNode, hasClass } from './html-node.ts';
import { cellLine, fitsGfm, gfmTable, htmlTable, noteNumber } from './tables.ts';

type Replacement = (content: string, node: HtmlNode) => string;

/** Turndown's own types name the browser's DOM, which this project does not load: rules get the part of it that they read. */
interface RuleSet {
  add(
    name: string,
    filter: string | string[] | ((node: HtmlNode) => boolean),
    replacement: Replacement,
  ): void;
}

function block(markdown: string): string {
  return `\n\n${markdown}\n\n`;
}

function trimLines(content: string): string {
  return content.replace(/^\n+/, '').trimEnd();
}

/** Indents all lines but the first. */
function indent(content: string, width: number): string {
  return content.replace(/\n(?=[^\n])/g, `\n${' '.repeat(width)}`);
}

/** A fence longer than any in the text. */
function fence(code: string): string {
  const longest = (code.match(/^`{3,}/gm) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  return '`'.repeat(longest + 1);
}

function inlineCode(text: string): string {
  const code = text.replace(/\s+/g, ' ');
  if (code.trim() === '') return code;
  let ticks = '`';
  while (code.includes(ticks)) ticks += '`';
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${code}${pad}${ticks}`;
}

/** Emphasis that ends in a sign and runs into a letter ("**Note:**text") would not be read as emphasis. */
function emphasise(mark: string): Replacement {
  return (content, node) => {
    if (content.trim() === '') return content;
    const after = node.nextSibling?.textContent ?? '';
    const before = node.previousSibling?.textContent ?? '';
    const closes = !/[^\p{L}\p{N}\s]$/u.test(content) || !/^[\p{L}\p{N}]/u.test(after);
    const opens = !/^[^\p{L}\p{N}\s]/u.test(content) || !/[\p{L}\p{N}]$/u.test(before);
    return opens && closes ? `${mark}${content}${mark}` : content;
  };
}

function labelOf(item: HtmlNode): number | undefined {
  const first = item.firstChild;
  return first !== null && hasClass(first, 'label') ? Number(first.textContent) : undefined;
}

/** Numbers of each item in its list, and the sign after it: another sign begins another list. */
type Markers = WeakMap<HtmlNode, { number: number; sign: string }>;

function marker(item: HtmlNode, markers: Markers): string {
  if (item.parentNode?.nodeName !== 'OL') return '- ';
  let previous = item.previousSibling;
  while (previous !== null && previous.nodeName !== 'LI') previous = previous.previousSibling;
  const before = previous === null ? undefined : markers.get(previous);
  const number = labelOf(item) ?? (before === undefined ? 1 : before.number + 1);
  const goesOn = before === undefined || number === before.number + 1;
  const sign = goesOn ? (before?.sign ?? '.') : before?.sign === '.' ? ')' : '.';
  markers.set(item, { number, sign });
  return `${number}${sign} `;
}

function isNote(node: HtmlNode): boolean {
  return node.nodeName === 'LI' && /^(foot|end)note-/.test(node.getAttribute('id') ?? '');
}

function addBlocks(rules: RuleSet): void {
  rules.add('heading', ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'], (content, node) => {
    const text = unescapeNumber(content.replace(/\s*\n\s*/g, ' ').trim());
    return text === '' ? '' : block(`${'#'.repeat(Number(node.nodeName[1]))} ${text}`);
  });
  rules.add('code block', 'pre', (_, node) => {
    const code = (node.textContent ?? '').replace(/\s+$/, '');
    return block(`${fence(code)}\n${code}\n${fence(code)}`);
  });
  rules.add('quote', 'blockquote', (content) =>
    block(trimLines(content).replace(/^/gm, '> ').replace(/^> $/gm, '>')),
  );
}

function addLists(rules: RuleSet): void {
  const markers: Markers = new WeakMap();
  rules.add('list', ['ul', 'ol'], (content, node) =>
    node.parentNode?.nodeName === 'LI' ? `\n${trimLines(content)}\n` : block(trimLines(content)),
  );
  rules.add('item', 'li', (content, node) => {
    const sign = marker(node, markers);
    return `${sign}${indent(trimLines(content), sign.length)}\n`;
  });
  let notes = 0;
  rules.add('note', isNote, (content) => {
    notes += 1;
    return `[^${notes}]: ${indent(trimLines(content), 4)}\n\n`;
  });
}

function addTables(rules: RuleSet): void {
  const lines = new WeakMap<HtmlNode, string>();
  rules.add('cell', ['td', 'th'], (content, node) => {
    lines.set(node, cellLine(unescapeNumber(content.trim())));
    return '';
  });
  rules.add('rows', ['tr', 'thead', 'tbody'], () => '');
  rules.add('table', 'table', (_, node) =>
    block(fitsGfm(node) ? gfmTable(node, (cell) => lines.get(cell) ?? '') : htmlTable(node)),
  );
}

function addInline(rules: RuleSet): void {
  rules.add('strong', 'strong', emphasise('**'));
  rules.add('emphasis', 'em', emphasise('*'));
  rules.add('strike', 's', emphasise('~~'));
  rules.add('raised', ['sup', 'sub'], (content, node) => {
    const tag = node.nodeName.toLowerCase();
    return /^\[\^/.test(content) || content.trim() === '' ? content : `<${tag}>${content}</${tag}>`;
  });
  rules.add('code', 'code', (_, node) => inlineCode(node.textContent ?? ''));
  rules.add(
    'raw',
    (node) => hasClass(node, 'raw'),
    (_, node) => node.textContent ?? '',
  );
  rules.add(
    'label',
    (node) => hasClass(node, 'label'),
    () => '',
  );
  rules.add(
    'image',
    (node) => hasClass(node, 'image'),
    (_, node) => {
      const alt = (node.textContent ?? '').trim();
      return `![${alt === '' ? 'Image' : alt.replace(/[[\]\\]/g, '\\$&')}]()`;
    },
  );
  rules.add('link', 'a', (content, node) => {
    const note = noteNumber(node);
    if (note !== undefined) return `[^${note}]`;
    const href = node.getAttribute('href') ?? '';
    // Mammoth leads from a note back to its reference; links to nowhere are left over from bookmarks.
    if (/^#(foot|end)note-ref-/.test(href)) return '';
    if (href === '' || href === '#' || content.trim() === '') return content;
    // An address that is its own text needs not be there twice.
    if (node.textContent === href && /^https?:[^\s<>]+$/i.test(href)) return `<${href}>`;
    return `[${content.trim().replace(/\s*\n\s*/g, ' ')}](${linkDestination(href)})`;
  });
}

function createService(): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    hr: '---',
  });
  service.escape = escapeText;
  const rules: RuleSet = {
    add(name, filter, replacement) {
      service.addRule(name, { filter, replacement } as unknown as TurndownService.Rule);
    },
  };
  addBlocks(rules);
  addLists(rules);
  addTables(rules);
  addInline(rules);
  return service;
}

/** Converts mammoth's HTML to Markdown. */
export function htmlToMarkdown(html: string): string {
  return createService()
    .turndown(html)
    .replace(/[ \t]+$/gm, (spaces) => (spaces === '  ' ? spaces : ''));
}
