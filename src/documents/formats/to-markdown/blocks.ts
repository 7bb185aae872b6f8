import { unescapeNumber } from './escape.ts';
import { type HtmlNode, hasClass } from './html-node.ts';

/** Without empty lines before it and white space behind it. */
export function trimLines(content: string): string {
  return content.replace(/^\n+/, '').trimEnd();
}

/** Indents all lines but the first. */
export function indent(content: string, width: number): string {
  return content.replace(/\n(?=[^\n])/g, `\n${' '.repeat(width)}`);
}

/** A heading of level 1 to 6 on one line; nothing where there is no text. */
export function heading(level: number, content: string): string {
  const text = unescapeNumber(content.replace(/\s*\n\s*/g, ' ').trim());
  return text === '' ? '' : `${'#'.repeat(level)} ${text}`;
}

/** A fence longer than any in the text. */
function fence(code: string): string {
  const longest = (code.match(/^`{3,}/gm) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  return '`'.repeat(longest + 1);
}

/** Code as a fenced block. */
export function codeBlock(text: string, language = ''): string {
  const code = text.trimEnd();
  return `${fence(code)}${language}\n${code}\n${fence(code)}`;
}

/** Blocks as a quotation. */
export function quote(content: string): string {
  return trimLines(content).replace(/^/gm, '> ').replace(/^> $/gm, '>');
}

/** A list's item behind its sign (`- `, `1. `). */
export function listItem(sign: string, content: string): string {
  return `${sign}${indent(trimLines(content), sign.length)}`;
}

function labelOf(item: HtmlNode): number | undefined {
  const first = item.firstChild;
  return first !== null && hasClass(first, 'label') ? Number(first.textContent) : undefined;
}

/**
 * Gives each item of a document its sign; items are asked for in their order. A `<span class="label">` at the start of an
 * item says its number; where the numbers do not follow each other another sign begins another list.
 */
export function createMarkers(): (item: HtmlNode) => string {
  const markers = new WeakMap<HtmlNode, { number: number; sign: string }>();
  return (item) => {
    if (item.parentNode?.nodeName !== 'OL') return '- ';
    let previous = item.previousSibling;
    while (previous !== null && previous.nodeName !== 'LI') previous = previous.previousSibling;
    const before = previous === null ? undefined : markers.get(previous);
    const number = labelOf(item) ?? (before === undefined ? 1 : before.number + 1);
    const goesOn = before === undefined || number === before.number + 1;
    const sign = goesOn ? (before?.sign ?? '.') : before?.sign === '.' ? ')' : '.';
    markers.set(item, { number, sign });
    return `${number}${sign} `;
  };
}
