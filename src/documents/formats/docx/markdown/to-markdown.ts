import TurndownService from 'turndown';
import {
  codeBlock,
  createMarkers,
  heading,
  indent,
  listItem,
  quote,
  trimLines,
} from '../../to-markdown/blocks.ts';
import { escapeText, unescapeNumber } from '../../to-markdown/escape.ts';
import { type HtmlNode, hasClass } from '../../to-markdown/html-node.ts';
import { emphasised, image, inlineCode, link } from '../../to-markdown/inline.ts';
import { cellLine, fitsGfm, gfmTable, htmlTable, noteNumber } from '../../to-markdown/tables.ts';

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

function emphasise(mark: string): Replacement {
  return (content, node) =>
    emphasised(mark, content, node.previousSibling?.textContent ?? '', node.nextSibling?.textContent ?? '');
}

function isNote(node: HtmlNode): boolean {
  return node.nodeName === 'LI' && /^(foot|end)note-/.test(node.getAttribute('id') ?? '');
}

function addBlocks(rules: RuleSet): void {
  rules.add('heading', ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'], (content, node) => {
    const line = heading(Number(node.nodeName[1]), content);
    return line === '' ? '' : block(line);
  });
  rules.add('code block', 'pre', (_, node) => block(codeBlock(node.textContent ?? '')));
  rules.add('quote', 'blockquote', (content) => block(quote(content)));
}

function addLists(rules: RuleSet): void {
  const marker = createMarkers();
  rules.add('list', ['ul', 'ol'], (content, node) =>
    node.parentNode?.nodeName === 'LI' ? `\n${trimLines(content)}\n` : block(trimLines(content)),
  );
  rules.add('item', 'li', (content, node) => `${listItem(marker(node), content)}\n`);
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
    (_, node) => image(node.textContent ?? ''),
  );
  rules.add('link', 'a', (content, node) => {
    const note = noteNumber(node);
    if (note !== undefined) return `[^${note}]`;
    const href = node.getAttribute('href') ?? '';
    // Mammoth leads from a note back to its reference; links to nowhere are left over from bookmarks.
    if (/^#(foot|end)note-ref-/.test(href)) return '';
    if (href === '' || href === '#' || content.trim() === '') return content;
    return link(content, href, node.textContent);
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
